#!/bin/bash
# All bars of the function added up, those within its own calls as well.
echo '{{twice}}' > /workspace/answer.txt
