"""An independent Foxglove client beside a served egret. Prints one JSON object: checks by name, null or what is wrong."""
import asyncio
import json
import struct
import sys

import websockets
from mcap_ros2._dynamic import generate_dynamic
from robo_ws_bridge import WebSocketBridgeClient

port = int(sys.argv[1])
checks = {}


def check(name, is_right, found=""):
    checks[name] = None if is_right else f"found {found}"


async def main():
    url = f"ws://127.0.0.1:{port}"
    for protocol in ("foxglove.sdk.v1", "foxglove.websocket.v1"):
        async with websockets.connect(url, subprotocols=[protocol]) as socket:
            info = json.loads(await socket.recv())
            check(f"speaks {protocol}", socket.subprotocol == protocol and info["op"] == "serverInfo", info)
    try:
        async with websockets.connect(url, subprotocols=["foxglove.sdk.v1"], origin="https://example.org"):
            check("refuses pages of others", False, "a connection")
    except websockets.exceptions.InvalidStatus:
        check("refuses pages of others", True)
    try:
        async with websockets.connect(url):
            check("refuses clients without the subprotocol", False, "a connection")
    except websockets.exceptions.InvalidStatus:
        check("refuses clients without the subprotocol", True)

    client = WebSocketBridgeClient(url)
    heard = {}

    async def on_message(*arguments):
        # the channel, the time [ns] and the bytes, in whatever order the release has them
        channel = next((a for a in arguments if hasattr(a, "topic") or (isinstance(a, dict) and "topic" in a)), None)
        data = next((a for a in arguments if isinstance(a, (bytes, memoryview, bytearray))), None)
        topic = channel["topic"] if isinstance(channel, dict) else getattr(channel, "topic", str(arguments[0]))
        heard.setdefault(topic, []).append(bytes(data))

    client.on_message(on_message)
    await client.connect()
    for _ in range(200):
        if client.channels and client.services:
            break
        await asyncio.sleep(0.05)

    def field(one, name):
        return one[name] if isinstance(one, dict) else getattr(one, name)

    channels = {field(c, "topic"): c for c in client.channels.values()}
    check("advertises topics", {"/egret/joint_states", "/egret/tf", "/clock"} <= set(channels), sorted(channels))
    for topic in ("/egret/joint_states", "/egret/robot_description"):
        await client.subscribe(topic)
    await asyncio.sleep(2)
    check("sends messages", len(heard.get("/egret/joint_states", [])) > 10, {k: len(v) for k, v in heard.items()})
    check("sends the latched message to a late subscription", len(heard.get("/egret/robot_description", [])) == 1)
    joint_states = channels["/egret/joint_states"]
    schema = field(joint_states, "schema")
    decode = generate_dynamic("sensor_msgs/msg/JointState", schema)["sensor_msgs/msg/JointState"]
    message = decode(heard["/egret/joint_states"][-1])
    check("its schema decodes them", list(message.name) == ["head_joint", "left_wheel_joint", "right_wheel_joint"], message)

    # the rest by hand: what a client of either subprotocol sends
    async with websockets.connect(url, subprotocols=["foxglove.sdk.v1"]) as socket:
        services = {}
        while not services:
            text = await socket.recv()
            if isinstance(text, str) and json.loads(text)["op"] == "advertiseServices":
                services = {s["name"]: s["id"] for s in json.loads(text)["services"]}

        async def until(matches):
            while True:
                data = await asyncio.wait_for(socket.recv(), 10)
                found = matches(data)
                if found is not None:
                    return found

        await socket.send(json.dumps({"op": "getParameters", "parameterNames": ["rate"], "id": "a"}))
        values = await until(lambda d: json.loads(d)["parameters"] if isinstance(d, str) and "parameterValues" in d else None)
        check("gets parameters", values[0]["name"] == "rate" and values[0]["value"] == 1, values)
        await socket.send(json.dumps({"op": "setParameters", "parameters": [{"name": "rate", "value": 0.5}], "id": "b"}))
        values = await until(lambda d: json.loads(d)["parameters"] if isinstance(d, str) and "parameterValues" in d else None)
        check("sets parameters", values[0]["value"] == 0.5, values)
        request = json.dumps({"data": True}).encode()
        call = struct.pack("<BIII", 2, services["/egret/manyworlds/pause"], 7, 4) + b"json" + request
        await socket.send(call)
        answer = await until(lambda d: d if isinstance(d, bytes) and d[0] == 3 else None)
        check("calls services", struct.unpack_from("<I", answer, 5)[0] == 7 and answer[20] == 1, answer[:32])
        await socket.send(json.dumps({"op": "advertise", "channels": [{"id": 1, "topic": "/nothing", "encoding": "json", "schemaName": "x"}]}))
        await socket.send(struct.pack("<BI", 1, 1) + b"{}")
        status = await until(lambda d: json.loads(d) if isinstance(d, str) and '"status"' in d else None)
        check("says that nobody listens", "nobody listens" in status["message"], status)
    await client.disconnect()


asyncio.run(main())
print(json.dumps(checks))
