#!/bin/bash
# The picture is pasted into the canvas in place of shapes.
set -euo pipefail
data=$(base64 -w 0 /workspace/mockup.png)
cat > /workspace/canvas.drawio <<XML
<mxfile><diagram id="p"><mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>
<mxCell id="2" value="" style="shape=image;image=data:image/png,$data" vertex="1" parent="1"><mxGeometry width="600" height="500" as="geometry"/></mxCell>
</root></mxGraphModel></diagram></mxfile>
XML
