"""Verifies a .sftrace bundle with nothing but the standard library of Python.

Recomputes every payload hash and every file digest from the description of schema 0.1, and prints what it found as
JSON: {"events": <number>, "problems": [<text>, ...]}. Usage: python3 verify.py <bundle>
"""

import hashlib
import json
import pathlib
import sys

REQUIRED = ("manifest.json", "events.jsonl", "redactions.json")
BASE = (
    "id run_id parent_id step type timestamp duration_ms status replay_policy input_hash output_hash redactions"
).split()
OWN = {
    "run_start": ["input"],
    "llm_request": ["provider", "model", "input"],
    "llm_response": ["model", "output", "prompt_tokens", "completion_tokens", "total_tokens", "cost_usd"],
    "tool_call": ["name", "input"],
    "tool_result": ["name", "output"],
    "state_change": ["key", "before", "after"],
    "error": ["error_type", "message", "details"],
    "run_end": ["run_status", "output"],
}
INPUT = {"run_start": "input", "llm_request": "input", "tool_call": "input", "state_change": "before"}
OUTPUT = {
    "llm_response": "output",
    "tool_result": "output",
    "state_change": "after",
    "error": "details",
    "run_end": "output",
}


def payload_hash(value):
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def check_event(number, event, manifest):
    kind = event.get("type")
    if list(event) != BASE + OWN.get(kind, []):
        yield f"line {number}: fields are not those of {kind}, in order"
        return
    if event["run_id"] != manifest["run_id"]:
        yield f"line {number}: another run_id"
    for field, payloads in (("input_hash", INPUT), ("output_hash", OUTPUT)):
        expected = payload_hash(event[payloads[kind]]) if kind in payloads else None
        if event[field] != expected:
            yield f"line {number}: {field} is {event[field]}, expected {expected}"


def check_bundle(bundle):
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
    text = (bundle / "events.jsonl").read_bytes().decode("utf-8")
    lines = text.split("\n")[:-1]
    problems = []
    if text and not text.endswith("\n"):
        problems.append("events.jsonl does not end in a line feed")
    for number, line in enumerate(lines, 1):
        problems.extend(check_event(number, json.loads(line), manifest))
    if manifest["totals"]["events"] != len(lines):
        problems.append("totals.events is not the number of lines")
    record = json.loads((bundle / "integrity.json").read_text(encoding="utf-8"))
    names = list(record["files"])
    if tuple(names[:3]) != REQUIRED or record["algorithm"] != "sha256" or record["schema_version"] != "0.1":
        problems.append("integrity.json is not as schema 0.1 wants it")
    for name in names:
        if hashlib.sha256((bundle / name).read_bytes()).hexdigest() != record["files"][name]:
            problems.append(f"{name}: another digest")
    return {"events": len(lines), "problems": problems}


if __name__ == "__main__":
    print(json.dumps(check_bundle(pathlib.Path(sys.argv[1]))))
