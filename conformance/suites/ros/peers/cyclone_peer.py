"""Cyclone DDS in a domain with a served egret. Prints one JSON object: checks by name, null or what is wrong."""
import json
import math
import struct
import sys
import time
from dataclasses import dataclass

from cyclonedds.core import Policy, Qos
from cyclonedds.domain import DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.types import array, float64, int32, int64, sequence, uint32, uint64
from cyclonedds.pub import DataWriter, Publisher
from cyclonedds.sub import DataReader, Subscriber
from cyclonedds.topic import Topic
from cyclonedds.util import duration


@dataclass
class Time(IdlStruct, typename="builtin_interfaces::msg::dds_::Time_"):
    sec: int32
    nanosec: uint32


@dataclass
class Header(IdlStruct, typename="std_msgs::msg::dds_::Header_"):
    stamp: Time
    frame_id: str


@dataclass
class Vector3(IdlStruct, typename="geometry_msgs::msg::dds_::Vector3_"):
    x: float64
    y: float64
    z: float64


@dataclass
class Quaternion(IdlStruct, typename="geometry_msgs::msg::dds_::Quaternion_"):
    x: float64
    y: float64
    z: float64
    w: float64


@dataclass
class Transform(IdlStruct, typename="geometry_msgs::msg::dds_::Transform_"):
    translation: Vector3
    rotation: Quaternion


@dataclass
class TransformStamped(IdlStruct, typename="geometry_msgs::msg::dds_::TransformStamped_"):
    header: Header
    child_frame_id: str
    transform: Transform


@dataclass
class TFMessage(IdlStruct, typename="tf2_msgs::msg::dds_::TFMessage_"):
    transforms: sequence[TransformStamped]


@dataclass
class JointState(IdlStruct, typename="sensor_msgs::msg::dds_::JointState_"):
    header: Header
    name: sequence[str]
    position: sequence[float64]
    velocity: sequence[float64]
    effort: sequence[float64]


@dataclass
class String(IdlStruct, typename="std_msgs::msg::dds_::String_"):
    data: str


@dataclass
class Twist(IdlStruct, typename="geometry_msgs::msg::dds_::Twist_"):
    linear: Vector3
    angular: Vector3


@dataclass
class SetBoolRequest(IdlStruct, typename="std_srvs::srv::dds_::SetBool_Request_"):
    client: uint64
    sequence_number: int64
    data: bool


@dataclass
class SetBoolResponse(IdlStruct, typename="std_srvs::srv::dds_::SetBool_Response_"):
    client: uint64
    sequence_number: int64
    success: bool
    message: str


domain = int(sys.argv[1])
participant = DomainParticipant(domain)
reliable = Qos(Policy.Reliability.Reliable(duration(seconds=1)), Policy.History.KeepLast(100))
latched = Qos(Policy.Reliability.Reliable(duration(seconds=1)), Policy.Durability.TransientLocal, Policy.History.KeepLast(1))
checks = {}


def check(name, is_right, found=""):
    checks[name] = None if is_right else f"found {found}"


def reader(topic, kind, qos):
    return DataReader(participant, Topic(participant, topic, kind), qos=qos)


joints = reader("rt/egret/joint_states", JointState, reliable)
moving = reader("rt/egret/tf", TFMessage, reliable)
fixed = reader("rt/egret/tf_static", TFMessage, latched)
description = reader("rt/egret/robot_description", String, latched)
twists = DataWriter(participant, Topic(participant, "rt/egret/cmd_vel", Twist), qos=reliable)
requests = DataWriter(participant, Topic(participant, "rq/egret/manyworlds/pauseRequest", SetBoolRequest), qos=reliable)
replies = reader("rr/egret/manyworlds/pauseReply", SetBoolResponse, reliable)

got = {"joints": [], "moving": [], "fixed": [], "description": []}


def take(seconds, until=lambda: False):
    end = time.time() + seconds
    while time.time() < end and not until():
        for name, one in (("joints", joints), ("moving", moving), ("fixed", fixed), ("description", description)):
            got[name] += one.take(N=100)
        time.sleep(0.01)


take(60, lambda: all(got.values()))
take(2)
check("hears every topic", all(got.values()), {name: len(found) for name, found in got.items()})
check("one latched sample of each", len(got["fixed"]) == 1 and len(got["description"]) == 1, (len(got["fixed"]), len(got["description"])))
stamps = [m.header.stamp.sec + m.header.stamp.nanosec * 1e-9 for m in got["joints"]]
gaps = [b - a for a, b in zip(stamps, stamps[1:])]
check("joint states in order, none missing", all(abs(gap - 0.02) < 1e-6 for gap in gaps), gaps[:5])
edges = {t.child_frame_id: t for m in got["fixed"] + got["moving"][-1:] for t in m.transforms}
roots = {t.header.frame_id for t in edges.values()} - set(edges)
check("one tree of frames", roots == {"map"}, roots)
rotations = [t.transform.rotation for t in edges.values()]
check("rotations of length one", all(abs(math.hypot(q.x, q.y, q.z, q.w) - 1) < 1e-9 for q in rotations))
wheel = edges["left_wheel_link"].transform.translation if "left_wheel_link" in edges else Vector3(0, 0, 0)
check("wheel where the joint has it", abs(wheel.y - 0.15) < 1e-3, wheel)

for _ in range(60):
    twists.write(Twist(Vector3(0.3, 0, 0), Vector3(0, 0, 0)))
    take(0.03)
turned = got["joints"][-1].position[1] - got["joints"][0].position[1]
check("Twist turns the wheels", turned > 0.5, turned)

requests.write(SetBoolRequest(0x1122334455667788, 41, True))
answers = []
end = time.time() + 10
while not answers and time.time() < end:
    answers = [a for a in replies.take(N=10) if hasattr(a, "success")]
    time.sleep(0.02)
found = [(a.client, a.sequence_number, a.success) for a in answers]
check("a service answers with the header of Cyclone", found == [(0x1122334455667788, 41, True)], found)
print(json.dumps(checks))
