#!/bin/bash
# The labels are in the right places, as text without shapes.
set -euo pipefail
cat > /workspace/canvas.drawio <<'XML'
<mxfile host="pwp">
  <diagram name="Page-1" id="page-1">
    <mxGraphModel dx="800" dy="600" grid="1" gridSize="10" guides="1" tooltips="1" connect="1" arrows="1" fold="1" page="1" pageScale="1" pageWidth="850" pageHeight="1100" math="0" shadow="0">
      <root>
        <mxCell id="0"/>
        <mxCell id="1" parent="0"/>
        <mxCell id="n1" value="Browser" style="text;html=1;align=center;verticalAlign=middle;whiteSpace=wrap;rounded=0;" vertex="1" parent="1"><mxGeometry x="50" y="65" width="100" height="30" as="geometry"/></mxCell>
        <mxCell id="n2" value="Gateway" style="text;html=1;align=center;verticalAlign=middle;whiteSpace=wrap;rounded=0;" vertex="1" parent="1"><mxGeometry x="270" y="65" width="100" height="30" as="geometry"/></mxCell>
        <mxCell id="n3" value="Orders" style="text;html=1;align=center;verticalAlign=middle;whiteSpace=wrap;rounded=0;" vertex="1" parent="1"><mxGeometry x="270" y="215" width="100" height="30" as="geometry"/></mxCell>
        <mxCell id="n4" value="Search" style="text;html=1;align=center;verticalAlign=middle;whiteSpace=wrap;rounded=0;" vertex="1" parent="1"><mxGeometry x="510" y="65" width="100" height="30" as="geometry"/></mxCell>
        <mxCell id="n5" value="Orders DB" style="text;html=1;align=center;verticalAlign=middle;whiteSpace=wrap;rounded=0;" vertex="1" parent="1"><mxGeometry x="270" y="375" width="100" height="30" as="geometry"/></mxCell>
        <mxCell id="n6" value="Index" style="text;html=1;align=center;verticalAlign=middle;whiteSpace=wrap;rounded=0;" vertex="1" parent="1"><mxGeometry x="510" y="215" width="100" height="30" as="geometry"/></mxCell>
        <mxCell id="n7" value="Events" style="text;html=1;align=center;verticalAlign=middle;whiteSpace=wrap;rounded=0;" vertex="1" parent="1"><mxGeometry x="510" y="375" width="100" height="30" as="geometry"/></mxCell>
      </root>
    </mxGraphModel>
  </diagram>
</mxfile>
XML
