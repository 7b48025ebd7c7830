#!/bin/bash
# All arrows point the other way.
set -euo pipefail
cat > /workspace/canvas.drawio <<'XML'
<mxfile host="pwp">
  <diagram name="Page-1" id="page-1">
    <mxGraphModel dx="800" dy="600" grid="1" gridSize="10" guides="1" tooltips="1" connect="1" arrows="1" fold="1" page="1" pageScale="1" pageWidth="850" pageHeight="1100" math="0" shadow="0">
      <root>
        <mxCell id="0"/>
        <mxCell id="1" parent="0"/>
        <mxCell id="n1" value="New" style="ellipse;whiteSpace=wrap;html=1;" vertex="1" parent="1"><mxGeometry x="40" y="40" width="120" height="80" as="geometry"/></mxCell>
        <mxCell id="n2" value="Paid" style="ellipse;whiteSpace=wrap;html=1;" vertex="1" parent="1"><mxGeometry x="270" y="40" width="120" height="80" as="geometry"/></mxCell>
        <mxCell id="n3" value="Shipped" style="ellipse;whiteSpace=wrap;html=1;" vertex="1" parent="1"><mxGeometry x="500" y="40" width="120" height="80" as="geometry"/></mxCell>
        <mxCell id="n4" value="Cancelled" style="ellipse;whiteSpace=wrap;html=1;" vertex="1" parent="1"><mxGeometry x="40" y="220" width="120" height="80" as="geometry"/></mxCell>
        <mxCell id="n5" value="Refunded" style="ellipse;whiteSpace=wrap;html=1;" vertex="1" parent="1"><mxGeometry x="270" y="220" width="120" height="80" as="geometry"/></mxCell>
        <mxCell id="n6" value="Delivered" style="ellipse;whiteSpace=wrap;html=1;" vertex="1" parent="1"><mxGeometry x="500" y="220" width="120" height="80" as="geometry"/></mxCell>
        <mxCell id="n7" value="Lost" style="rhombus;whiteSpace=wrap;html=1;" vertex="1" parent="1"><mxGeometry x="500" y="380" width="120" height="80" as="geometry"/></mxCell>
        <mxCell id="e1" value="pay" style="edgeStyle=orthogonalEdgeStyle;rounded=0;orthogonalLoop=1;jettySize=auto;html=1;" edge="1" parent="1" source="n2" target="n1"><mxGeometry relative="1" as="geometry"/></mxCell>
        <mxCell id="e2" value="ship" style="edgeStyle=orthogonalEdgeStyle;rounded=0;orthogonalLoop=1;jettySize=auto;html=1;" edge="1" parent="1" source="n3" target="n2"><mxGeometry relative="1" as="geometry"/></mxCell>
        <mxCell id="e3" value="arrive" style="edgeStyle=orthogonalEdgeStyle;rounded=0;orthogonalLoop=1;jettySize=auto;html=1;" edge="1" parent="1" source="n6" target="n3"><mxGeometry relative="1" as="geometry"/></mxCell>
        <mxCell id="e4" value="cancel" style="edgeStyle=orthogonalEdgeStyle;rounded=0;orthogonalLoop=1;jettySize=auto;html=1;" edge="1" parent="1" source="n4" target="n1"><mxGeometry relative="1" as="geometry"/></mxCell>
        <mxCell id="e5" value="refund" style="edgeStyle=orthogonalEdgeStyle;rounded=0;orthogonalLoop=1;jettySize=auto;html=1;" edge="1" parent="1" source="n5" target="n2"><mxGeometry relative="1" as="geometry"/></mxCell>
        <mxCell id="e6" value="complain" style="edgeStyle=orthogonalEdgeStyle;rounded=0;orthogonalLoop=1;jettySize=auto;html=1;" edge="1" parent="1" source="n7" target="n6"><mxGeometry relative="1" as="geometry"/></mxCell>
        <mxCell id="e7" value="close" style="edgeStyle=orthogonalEdgeStyle;rounded=0;orthogonalLoop=1;jettySize=auto;html=1;" edge="1" parent="1" source="n4" target="n5"><mxGeometry relative="1" as="geometry"/></mxCell>
      </root>
    </mxGraphModel>
  </diagram>
</mxfile>
XML
