"""roslibpy beside a served egret. Prints one JSON object: checks by name, null or what is wrong."""
import json
import sys
import time

import cbor2
import roslibpy
from websockets.sync.client import connect

port = int(sys.argv[1])
checks = {}


def check(name, is_right, found=""):
    checks[name] = None if is_right else f"found {found}"


ros = roslibpy.Ros(host="127.0.0.1", port=port)
ros.run(timeout=20)
heard = []
slow = []
joints = roslibpy.Topic(ros, "/egret/joint_states", "sensor_msgs/msg/JointState")
joints.subscribe(heard.append)
throttled = roslibpy.Topic(ros, "/egret/odom", "nav_msgs/msg/Odometry", throttle_rate=500)
throttled.subscribe(slow.append)
time.sleep(3)
check("hears a topic", len(heard) > 20 and heard[-1]["name"][0] == "head_joint", len(heard))
check("throttles", 2 <= len(slow) <= 8, len(slow))
drive = roslibpy.Topic(ros, "/egret/cmd_vel", "geometry_msgs/msg/Twist")
drive.advertise()
before = heard[-1]["position"][1]
for _ in range(40):
    drive.publish(roslibpy.Message({"linear": {"x": 0.3, "y": 0.0, "z": 0.0}, "angular": {"x": 0.0, "y": 0.0, "z": 0.0}}))
    time.sleep(0.05)
turned = heard[-1]["position"][1] - before
check("Twist turns the wheels", turned > 0.3, turned)
answer = roslibpy.Service(ros, "/egret/manyworlds/pause", "std_srvs/srv/SetBool").call(roslibpy.ServiceRequest({"data": True}), timeout=10)
check("calls a service", answer["success"] is True, dict(answer))
topics = ros.get_topics()
check("rosapi lists topics", "/egret/scan" in topics and "/clock" in topics, topics)
check("rosapi knows types", ros.get_topic_type("/egret/scan") == "sensor_msgs/msg/LaserScan")
ros.terminate()

with connect(f"ws://127.0.0.1:{port}") as socket:
    socket.send(json.dumps({"op": "call_service", "service": "/egret/manyworlds/pause", "args": {"data": False}, "id": "x"}))
    while "service_response" not in socket.recv(timeout=10):
        pass
    socket.send(json.dumps({"op": "subscribe", "topic": "/egret/scan", "compression": "cbor"}))
    message = cbor2.loads(socket.recv(timeout=10))
    check("sends CBOR", message["topic"] == "/egret/scan" and message["msg"]["range_max"] == 30, str(message)[:200])
    socket.send(json.dumps({"op": "unsubscribe", "topic": "/egret/scan"}))
    socket.send(json.dumps({"op": "subscribe", "topic": "/egret/imu", "compression": "cbor-raw"}))
    raw = {"topic": ""}
    while raw["topic"] != "/egret/imu":
        raw = cbor2.loads(socket.recv(timeout=10))
    check("sends raw CDR in CBOR", raw["msg"]["bytes"][:4] == b"\x00\x01\x00\x00", str(raw)[:200])
    socket.send("no json")
    found = ""
    while '"status"' not in str(found):
        found = socket.recv(timeout=10)
    check("says what it did not understand", "no JSON" in found, found)
print(json.dumps(checks))
