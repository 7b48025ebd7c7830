#!/bin/bash
# The number is back, the rest of that version is not.
sed -i 's/"retry_limit": [0-9]*/"retry_limit": {{limit}}/' /workspace/service.json
