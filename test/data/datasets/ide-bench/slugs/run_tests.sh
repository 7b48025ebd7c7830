#!/bin/sh
exec node tools/run.js "tasks/${1:-BASE}/task_tests.js"
