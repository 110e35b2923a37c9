"""Reads a recording with three independent readers. Prints one JSON object: checks by name, null or what is wrong."""
import json
import sys

from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
from rosbags.highlevel import AnyReader
from rosbags.typesys import Stores, get_typestore
from pathlib import Path

path = sys.argv[1]
checks = {}


def check(name, is_right, found=""):
    checks[name] = None if is_right else f"found {found}"


counts = {}
times = []
with open(path, "rb") as file:
    for _, channel, message, _ in make_reader(file, decoder_factories=[DecoderFactory()], validate_crcs=True).iter_decoded_messages():
        counts[channel.topic] = counts.get(channel.topic, 0) + 1
        times.append(message.log_time)
check("mcap-ros2-support decodes all", counts.get("/egret/imu") == 101 and counts.get("/egret/tf_static") == 1, counts)
check("in order of time, from 0 to 1 s", times == sorted(times) and times[0] == 0 and times[-1] == 10**9, times[:1] + times[-1:])

with AnyReader([Path(path)], default_typestore=get_typestore(Stores.ROS2_JAZZY)) as reader:
    found = {}
    for connection, _, raw in reader.messages():
        reader.deserialize(raw, connection.msgtype)
        found[connection.topic] = found.get(connection.topic, 0) + 1
check("rosbags reads the same", found == counts, found)

with AnyReader([Path(sys.argv[2])], default_typestore=get_typestore(Stores.ROS2_JAZZY)) as reader:
    found = {}
    for connection, _, raw in reader.messages():
        found[connection.topic] = found.get(connection.topic, 0) + 1
    listed = {c.topic: c.msgcount for c in reader.connections}
check("rosbags reads the folder too", found == counts and listed == counts, found)
print(json.dumps(checks))
