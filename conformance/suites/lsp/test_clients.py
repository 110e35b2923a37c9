"""The language server by pytest-lsp, with the recorded capabilities of several editors.

Run by the suite `lsp/pytest`; SERVER is the command as JSON, ROBOT the folder of a copy of an example robot.
"""

import json
import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import FeatureAlreadyRegisteredError
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

ROBOT = pathlib.Path(os.environ["ROBOT"])
ROOT = ROBOT / "heron.usda"
PHYSICS = ROBOT / "layers" / "physics.usda"
EDITORS = ["visual_studio_code", "neovim", "emacs"]


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=json.loads(os.environ["SERVER"])),
    params=EDITORS,
    scope="module",
    loop_scope="module",
)
async def client(request, lsp_client: LanguageClient):
    # what the recorded editors can be asked for, and pytest-lsp does not answer
    for method in [
        types.CLIENT_REGISTER_CAPABILITY,
        types.WORKSPACE_CODE_LENS_REFRESH,
        types.WORKSPACE_DIAGNOSTIC_REFRESH,
        types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
        types.WORKSPACE_INLAY_HINT_REFRESH,
    ]:
        try:
            lsp_client.feature(method)(lambda *_: None)
        except FeatureAlreadyRegisteredError:
            pass
    lsp_client.answer = await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(request.param),
            workspace_folders=[types.WorkspaceFolder(uri=ROBOT.as_uri(), name="robot")],
        )
    )
    OPEN.clear()
    yield lsp_client
    await lsp_client.shutdown_session()


OPEN = set()


def open_text(client, path, text=None, version=1):
    """Opens a text in place of those of earlier tests."""
    for uri in OPEN:
        client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri=uri)))
    OPEN.clear()
    OPEN.add(path.as_uri())
    text = path.read_text(encoding="utf-8") if text is None else text
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            types.TextDocumentItem(uri=path.as_uri(), language_id="usda", version=version, text=text)
        )
    )
    return text


def place(client, text, before, after=""):
    """Where a piece of text goes on, in the unit that client and server agreed on."""
    at = text.index(before + after) + len(before)
    line = text.count("\n", 0, at)
    start = text.rfind("\n", 0, at) + 1
    if client.answer.capabilities.position_encoding == "utf-8":
        return types.Position(line=line, character=len(text[start:at].encode("utf-8")))
    return types.Position(line=line, character=len(text[start:at].encode("utf-16-le")) // 2)


async def findings(client, path):
    """What the client knows of a file, asked or told, whichever it can."""
    document = client.capabilities.text_document
    if document is not None and document.diagnostic is not None:
        report = await client.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(text_document=types.TextDocumentIdentifier(uri=path.as_uri()))
        )
        return report.items
    for _ in range(50):
        found = client.diagnostics.get(path.as_uri(), [])
        if any(one.code is not None and str(one.code).startswith("R") for one in found):
            return found
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return client.diagnostics.get(path.as_uri(), [])


@pytest.mark.asyncio(loop_scope="module")
async def test_a_wrong_axis_is_found_once(client):
    text = ROOT.read_text(encoding="utf-8").replace('upAxis = "Z"', '/* 😀 */ upAxis = "Y"')
    open_text(client, ROOT, text)
    found = [one for one in await findings(client, ROOT) if one.code == "R1.1.5"]
    assert len(found) == 1
    assert found[0].severity == types.DiagnosticSeverity.Error
    assert found[0].range.start == place(client, text, "/* 😀 */ ", 'upAxis = "Y"')


@pytest.mark.asyncio(loop_scope="module")
async def test_hover_tells_the_composed_value(client):
    text = open_text(client, PHYSICS)
    hover = await client.text_document_hover_async(
        types.HoverParams(
            text_document=types.TextDocumentIdentifier(uri=PHYSICS.as_uri()),
            position=place(client, text, "float physics:ma", "ss"),
        )
    )
    content = hover.contents.value if hasattr(hover.contents, "value") else str(hover.contents)
    assert "physics:mass" in content


@pytest.mark.asyncio(loop_scope="module")
async def test_definition_leads_to_the_prim(client):
    text = open_text(client, PHYSICS)
    target = "material:binding:physics = </heron/surfaces/plas"
    found = await client.text_document_definition_async(
        types.DefinitionParams(
            text_document=types.TextDocumentIdentifier(uri=PHYSICS.as_uri()),
            position=place(client, text, target, "tic>"),
        )
    )
    places = found if isinstance(found, list) else [found]
    uris = {getattr(one, "target_uri", None) or one.uri for one in places}
    assert uris and all(uri.startswith(ROBOT.as_uri()) for uri in uris)


@pytest.mark.asyncio(loop_scope="module")
async def test_completion_knows_the_types_of_prims(client):
    text = open_text(client, ROOT, ROOT.read_text(encoding="utf-8") + '\ndef Xf "more"\n{\n}\n')
    found = await client.text_document_completion_async(
        types.CompletionParams(
            text_document=types.TextDocumentIdentifier(uri=ROOT.as_uri()),
            position=place(client, text, "def Xf", ' "more"'),
        )
    )
    items = found.items if hasattr(found, "items") else found
    assert "Xform" in {one.label for one in items}


@pytest.mark.asyncio(loop_scope="module")
async def test_symbols_are_the_prims(client):
    open_text(client, PHYSICS)
    found = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(text_document=types.TextDocumentIdentifier(uri=PHYSICS.as_uri()))
    )
    assert found[0].name == "heron"


@pytest.mark.asyncio(loop_scope="module")
async def test_a_fix_of_a_finding_is_offered(client):
    text = ROOT.read_text(encoding="utf-8").replace('upAxis = "Z"', 'upAxis = "Y"')
    open_text(client, ROOT, text)
    found = [one for one in await findings(client, ROOT) if one.code == "R1.1.5"]
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=types.TextDocumentIdentifier(uri=ROOT.as_uri()),
            range=found[0].range,
            context=types.CodeActionContext(diagnostics=found),
        )
    )
    assert any(action.kind == types.CodeActionKind.QuickFix for action in actions)
