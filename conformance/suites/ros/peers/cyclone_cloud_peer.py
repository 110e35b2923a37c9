"""Cyclone DDS and large messages. Prints one JSON object: checks by name, null or what is wrong."""
import json
import os
import sys
import time
from dataclasses import dataclass

from cyclonedds.core import Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.types import int32, sequence, uint8, uint32
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration

from machine import MOST_BUSY, Watch


@dataclass
class Time(IdlStruct, typename="builtin_interfaces::msg::dds_::Time_"):
    sec: int32
    nanosec: uint32


@dataclass
class Header(IdlStruct, typename="std_msgs::msg::dds_::Header_"):
    stamp: Time
    frame_id: str


@dataclass
class PointField(IdlStruct, typename="sensor_msgs::msg::dds_::PointField_"):
    name: str
    offset: uint32
    datatype: uint8
    count: uint32


@dataclass
class PointCloud2(IdlStruct, typename="sensor_msgs::msg::dds_::PointCloud2_"):
    header: Header
    height: uint32
    width: uint32
    fields: sequence[PointField]
    is_bigendian: bool
    point_step: uint32
    row_step: uint32
    data: sequence[uint8]
    is_dense: bool


DOMAIN = int(sys.argv[1])
SECONDS, RATE, SHARE, DEPTH = (float(text) for text in sys.argv[2:6])
TALKER = int(os.environ["TALKER_PID"])
participant = DomainParticipant(DOMAIN)
# no depth: all of them
history = Policy.History.KeepLast(int(DEPTH)) if DEPTH > 0 else Policy.History.KeepAll
qos = Qos(Policy.Reliability.Reliable(duration(seconds=1)), history)
reader = DataReader(participant, Topic(participant, "rt/cloud", PointCloud2, qos=qos), qos=qos)
numbers, wrong = [], []
expected, watch = None, None
end = time.time() + 20
while time.time() < end:
    for sample in reader.take(N=5):
        if expected is None:
            # counted from the first, which takes as long as it takes
            end = time.time() + SECONDS
            watch = Watch(TALKER)
            expected = bytes(i % 251 for i in range(len(sample.data)))
        numbers.append(sample.width)
        if bytes(sample.data) != expected:
            wrong.append(sample.width)
    time.sleep(0.002)
busy = watch.share(SECONDS) if watch else 0.0
found = f"{len(numbers)} of {SECONDS * RATE:.0f}, {busy:.0%} of the time without a processor"
gaps = [b for a, b in zip(numbers, numbers[1:]) if b != a + 1]
checks = {
    "some arrive": None if numbers else "none",
    "whole": None if not wrong else f"{wrong}",
    "in order": None if numbers == sorted(set(numbers)) else f"{numbers}",
    "complete": None if DEPTH > 0 or not gaps else f"gaps before {gaps}",
}
# while one of the two waits for a processor nothing can arrive
if busy <= MOST_BUSY:
    checks["share"] = None if len(numbers) >= (SHARE - busy) * SECONDS * RATE else found
print(found if busy <= MOST_BUSY else f"{found}: the rate cannot be judged", file=sys.stderr)
print(json.dumps(checks))
