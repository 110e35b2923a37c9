-- Does the scenarios of $SCENARIOS in Neovim and writes what came of them to $RESULTS.
local input = vim.fn.json_decode(table.concat(vim.fn.readfile(vim.env.SCENARIOS), '\n'))
local results = {}
-- the cursor may stand behind the last character, as it does while somebody types
vim.o.virtualedit = 'onemore'

local client_id = vim.lsp.start_client({
  name = 'manyworlds',
  cmd = input.command,
  cmd_env = input.env,
  root_dir = input.folder,
  workspace_folders = { { uri = vim.uri_from_fname(input.folder), name = 'robot' } },
})
local client = vim.lsp.get_client_by_id(client_id)
vim.wait(120000, function() return client.initialized end, 20)

-- Lua has one table for lists and maps: an empty one is a list where the protocol has one
local function open(scenario)
  vim.cmd('edit! ' .. input.folder .. '/' .. scenario.file)
  local buffer = vim.api.nvim_get_current_buf()
  vim.lsp.buf_attach_client(buffer, client_id)
  if scenario.edit then
    local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
    local text = table.concat(lines, '\n')
    local first, last = text:find(scenario.edit[1], 1, true)
    text = text:sub(1, first - 1) .. scenario.edit[2] .. text:sub(last + 1)
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, '\n', { plain = true }))
  end
  return buffer
end

local function place(buffer, at)
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
  local mark = at:find('|', 1, true)
  local first = text:find(at:sub(1, mark - 1) .. at:sub(mark + 1), 1, true)
  local before = text:sub(1, first + mark - 2)
  local _, line = before:gsub('\n', '')
  vim.api.nvim_win_set_cursor(0, { line + 1, #(before:match('[^\n]*$')) })
end

local function texts()
  local found = {}
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.api.nvim_buf_get_name(buffer)
    if vim.api.nvim_buf_is_loaded(buffer) and name ~= '' then
      found[name:sub(#input.folder + 2)] = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
    end
  end
  return found
end

local function diagnostics(buffer)
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    table.insert(found, { one.code, one.lnum, one.col, one.end_lnum, one.end_col, one.message })
  end
  return found
end

for _, scenario in ipairs(input.scenarios) do
  local buffer = open(scenario)
  if scenario.at then place(buffer, scenario.at) end
  local params = scenario.params or {}
  if scenario.at then params = vim.tbl_extend('force', vim.lsp.util.make_position_params(0, client.offset_encoding), params) end
  if scenario.method ~= 'workspace/symbol' then params.textDocument = { uri = vim.uri_from_bufnr(buffer) } end
  local result = {}
  if scenario.method == 'diagnostics' then
    -- rules are checked after a pause: what is there in the end counts
    vim.wait(20000, function() return vim.deep_equal(diagnostics(buffer), scenario.expected) end, 20)
    result.diagnostics = diagnostics(buffer)
  else
    local method = scenario.method
    if method == 'fixAll' then
      method = 'textDocument/codeAction'
      local start = { line = 0, character = 0 }
      params.range = { start = start, ['end'] = start }
      params.context = { diagnostics = vim.empty_dict(), only = { 'source.fixAll' } }
      params.context.diagnostics = setmetatable({}, { __jsontype = 'array' })
    end
    local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000) or {}
    local answer = answers[client_id] or { err = { message = 'no answer' } }
    local fault = answer.err or answer.error
    if fault then
      result.error = fault.message
    elseif scenario.applies then
      local edit = answer.result
      if scenario.method == 'fixAll' then edit = answer.result[1].edit end
      if scenario.method == 'textDocument/formatting' then
        vim.lsp.util.apply_text_edits(edit, buffer, client.offset_encoding)
      else
        vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
      end
      result.texts = texts()
    else
      result.answer = answer.result
    end
  end
  results[scenario.name] = result
  vim.cmd('silent! bufdo! bwipeout!')
end

client.stop()
vim.wait(20000, function() return client.is_stopped() end, 20)
vim.fn.writefile({ vim.fn.json_encode(results) }, vim.env.RESULTS)
vim.cmd('qa!')
