#!/bin/bash
set -euo pipefail
# A compressed page, as draw.io writes it, too; larger and elsewhere on the page.
printf '<mxfile host="app"><diagram id="p" name="Page-1">%s</diagram></mxfile>\n' \
  '1ZbPUoMwEMafhqNO/lBKj1qrF/VSXyADO5CZhDBpaKlP76ak1hrr6IxD7YVJvmU/Nj+WkITPdf9gRVs/mRJUwkjZJ/wuYSwnBK9e2A5CthcqK8tBogdhKV8hiLvb+CLhc2uMG0a6n4Py9vvUwev+RDQYt8JC436S0ISMtVBdqOMFrF6hJNpWbYfoym1ViDro0fi2dlqhQHEolKwaHBf4SLAorME6WQh1EwJalqVPv93U0sGyFYX32iA81KzpmhJ8NQRnoRg0gP7kiug7J3wFYDQ4i3WSkJDy2ZAS8E+y6TDfyNLVe9ThldQgqzrY8qCJ1TCv3q0P/HAQEJ7AySKcc9EUvkE+cTysm54g8wHxH2CZsvwIS5qmMRb2BZbsL7DwCMvS9wYjXXt2MimbnZFMGpHZmi5JCfRCtwquja2+IUTOQohTNiKhSURocaWFVJe3NVE2PebIxtyasojjfbe7oxEa/l2P0dmYPTaN2Dx/BeXiOoyRMTssj39+FoQDX4/prLcvClyyu/xTRT4m11nE9dFUJoKIWbJdwSifK6XHjZb98GvNf88Dp4fz8C724dzNF28=' \
  > /workspace/canvas.drawio
