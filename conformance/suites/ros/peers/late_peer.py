"""Nodes of rclpy that start again and again while ours stays, and an action. Prints one JSON object: checks by name, null or what is wrong."""
import json
import os
import time

import rclpy
from action_msgs.msg import GoalStatus
from rclpy.action import ActionClient
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from std_msgs.msg import String
from test_msgs.action import Fibonacci

RUNS = int(os.environ["RUNS"])
checks = {}


def check(name, is_right, found=""):
    checks[name] = None if is_right else f"found {found}"


times = []
for _ in range(RUNS):
    context = Context()
    rclpy.init(context=context)
    node = Node("late", context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    got = []
    node.create_subscription(String, "/chatter", got.append, 10)
    start = time.time()
    while not got and time.time() - start < 10:
        executor.spin_once(timeout_sec=0.02)
    times.append(round(time.time() - start, 2) if got else None)
    executor.shutdown()
    node.destroy_node()
    context.shutdown()
check(f"heard by each of {RUNS} late nodes", None not in times, times)

rclpy.init()
node = Node("client")
client = ActionClient(node, Fibonacci, "fibonacci")
check("finds the action", client.wait_for_server(timeout_sec=15))


def wait(future):
    rclpy.spin_until_future_complete(node, future, timeout_sec=15)
    return future.result()


feedback = []
goal = wait(client.send_goal_async(Fibonacci.Goal(order=8), feedback_callback=lambda m: feedback.append(list(m.feedback.sequence))))
check("accepts a goal", goal is not None and goal.accepted)
result = wait(goal.get_result_async())
check("gives the result", result.status == GoalStatus.STATUS_SUCCEEDED and list(result.result.sequence)[:7] == [0, 1, 1, 2, 3, 5, 8], result)
check("sends feedback", len(feedback) >= 5 and feedback[-1][:3] == [0, 1, 1], feedback[-1:])
goal = wait(client.send_goal_async(Fibonacci.Goal(order=1000)))
answer = wait(goal.cancel_goal_async())
check("cancels a goal", len(answer.goals_canceling) == 1, answer)
result = wait(goal.get_result_async())
check("ends a canceled goal", result.status == GoalStatus.STATUS_CANCELED and list(result.result.sequence) == [-1], result)
goal = wait(client.send_goal_async(Fibonacci.Goal(order=-1)))
check("refuses a goal", not goal.accepted)
print(json.dumps(checks))
