import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { deflateRawSync } from 'node:zlib';
import { AgentFiles } from '../../../host/tasks/grade/checks/agent-files.ts';
import { diagramMatches, matchDiagrams } from '../../../host/tasks/grade/checks/diagram-match.ts';
import { type Diagram, readDrawio } from '../../../host/tasks/grade/checks/drawio.ts';
import { temporaryFolder } from '../../support/folder.ts';

const page = (cells: string) =>
  `<mxGraphModel dx="1"><root><mxCell id="0"/><mxCell id="1" parent="0"/>${cells}</root></mxGraphModel>`;
const file = (cells: string) =>
  `<mxfile host="x"><diagram name="Page-1" id="p">${page(cells)}</diagram></mxfile>`;
const box = (id: string, label: string, x: number, y: number, style = 'rounded=0;html=1;', parent = '1') =>
  `<mxCell id="${id}" value="${label}" style="${style}" vertex="1" parent="${parent}">` +
  `<mxGeometry x="${x}" y="${y}" width="100" height="40" as="geometry"/></mxCell>`;
const line = (id: string, from: string, to: string, label = '', style = 'html=1;') =>
  `<mxCell id="${id}" value="${label}" style="${style}" edge="1" parent="1" source="${from}" target="${to}">` +
  '<mxGeometry relative="1" as="geometry"/></mxCell>';

const three = [
  box('a', 'Ask', 0, 0),
  box('b', 'Decide', 0, 100, 'rhombus;html=1;'),
  box('c', 'Store', 200, 100),
];
const flow = [...three, line('e', 'a', 'b'), line('f', 'b', 'c', 'yes')].join('');

function read(text: string): Diagram {
  const answer = readDrawio(text);
  assert.ok('diagram' in answer, 'why' in answer ? answer.why : '');
  return answer.diagram;
}

/** The checks that fail, with their reasons. */
function wrong(drawn: string, expected = flow): string[] {
  const checks = matchDiagrams(read(file(drawn)), read(file(expected)));
  return checks.filter(({ passed }) => !passed).map(({ name, why }) => `${name}: ${why}`);
}

describe('a drawio file', () => {
  it('is read plain, compressed and as a bare page', () => {
    const packed = deflateRawSync(Buffer.from(encodeURIComponent(page(flow)))).toString('base64');
    const compressed = `<mxfile><diagram id="p">${packed}</diagram></mxfile>`;
    assert.deepEqual(read(compressed), read(file(flow)));
    assert.deepEqual(read(page(flow)), read(file(flow)));
  });

  it('recognizes kinds by what is drawn', () => {
    const styles = {
      'rounded=1;html=1;': 'rounded',
      'ellipse;html=1;': 'ellipse',
      'shape=ellipse;': 'ellipse',
      'shape=cylinder3;html=1;': 'cylinder',
      'text;html=1;': 'text',
      'strokeColor=none;fillColor=none;': 'text',
      'shape=image;image=data:x': 'image',
      'shape=hexagon;': 'hexagon',
      '': 'rectangle',
    };
    for (const [style, kind] of Object.entries(styles))
      assert.equal(read(file(box('a', 'A', 0, 0, style))).shapes[0]?.kind, kind, style);
  });

  it('has labels as people see them', () => {
    const html = '&lt;b&gt;Sign&lt;/b&gt;&lt;br&gt;in&amp;nbsp; &amp;amp; out';
    assert.equal(read(file(box('a', html, 0, 0))).shapes[0]?.label, 'Sign in & out');
    assert.equal(read(file(box('a', '&lt;b&gt;', 0, 0, 'html=0;'))).shapes[0]?.label, '<b>');
  });

  it('has arrows with their heads, separate labels and loose ends', () => {
    const arrows = (cells: string) =>
      read(file(three.join('') + cells)).arrows.map(({ from, to, label, heads }) => [from, to, label, heads]);
    assert.deepEqual(arrows(line('e', 'a', 'b', '', 'endArrow=none;startArrow=classic;')), [
      ['b', 'a', '', 'to'],
    ]);
    assert.deepEqual(arrows(line('e', 'a', 'b', '', 'endArrow=none;')), [['a', 'b', '', 'none']]);
    assert.deepEqual(arrows(line('e', 'a', 'b', '', 'startArrow=open;')), [['a', 'b', '', 'both']]);
    assert.deepEqual(arrows(line('e', 'a', 'b') + box('l', 'no', 0, 0, 'edgeLabel;html=1;', 'e')), [
      ['a', 'b', 'no', 'to'],
    ]);
    const loose =
      '<mxCell id="e" edge="1" parent="1" target="c"><mxGeometry relative="1" as="geometry">' +
      '<mxPoint x="105" y="20" as="sourcePoint"/></mxGeometry></mxCell>';
    assert.deepEqual(arrows(loose), [['a', 'c', '', 'to']]);
  });

  it('has shapes within shapes, with data and on hidden layers', () => {
    const group = box('g', '', 50, 60, 'group') + box('i', 'In', 10, 10, '', 'g');
    assert.deepEqual(
      read(file(group)).shapes.map(({ id, x, y }) => [id, x, y]),
      [['i', 110, 90]],
    );
    const data = '<UserObject label="Data" id="d"><mxCell vertex="1" parent="1"/></UserObject>';
    assert.equal(read(file(data)).shapes[0]?.label, 'Data');
    const layer = '<mxCell id="h" parent="0" visible="0"/>' + box('i', 'In', 0, 0, '', 'h');
    assert.equal(read(file(layer)).shapes.length, 0);
  });

  it('is distinguished from other files', () => {
    const why = (text: string) => {
      const answer = readDrawio(text);
      return 'why' in answer ? answer.why : 'a diagram';
    };
    assert.equal(why('hello'), 'is not XML');
    assert.equal(why(''), 'is not XML');
    assert.equal(why('<a><b></a></b>'), 'is not XML');
    assert.equal(why('<a/><b/>'), 'is not XML');
    assert.equal(why('<a b="1" b="2"/>'), 'is not XML');
    assert.equal(why('<a>'.repeat(20_000)), 'is not XML');
    assert.equal(why('<svg/>'), 'is XML, but not a diagram of draw.io');
    assert.equal(
      why('<mxfile><diagram>!!!</diagram></mxfile>'),
      'has a compressed page that can not be read',
    );
    assert.equal(why('<mxfile><diagram/></mxfile>'), 'has an empty page');
    assert.equal(why('<mxGraphModel/>'), 'has a page without cells');
    // Two cells that contain each other.
    assert.equal(why(file(box('x', '', 0, 0, '', 'y') + box('y', '', 0, 0, '', 'x'))), 'a diagram');
  });
});

describe('the XML of a drawio file', () => {
  it('may not declare entities', () => {
    const bomb = Array.from({ length: 30 }, (_, at) => `<!ENTITY e${at + 1} "&e${at};&e${at};">`).join('');
    const text = `<!DOCTYPE a [<!ENTITY e0 "x">${bomb}]>` + file(box('a', '&e30;', 0, 0));
    assert.deepEqual(readDrawio(text), { why: 'is not XML' });
    const outside = `<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>` + file(box('a', '&e;', 0, 0));
    assert.deepEqual(readDrawio(outside), { why: 'is not XML' });
  });

  it('may be nested to any depth', () => {
    const deep = `${'<a>'.repeat(20_000)}${page(flow)}${'</a>'.repeat(20_000)}`;
    assert.deepEqual(readDrawio(deep), { why: 'is XML, but not a diagram of draw.io' });
    assert.deepEqual(read(`<mxfile><diagram>${page(flow)}${deep}</diagram></mxfile>`), read(file(flow)));
  });

  it('may have comments, a declaration, CDATA and references', () => {
    const text = `<?xml version="1.0"?><!-- <b> -->${file(box('a', '&#65;&#x42;&lt;', 0, 0, 'html=0'))}`;
    assert.equal(read(text).shapes[0]?.label, 'AB<');
    const packed = deflateRawSync(Buffer.from(encodeURIComponent(page(flow)))).toString('base64');
    assert.deepEqual(read(`<mxfile><diagram><![CDATA[${packed}]]></diagram></mxfile>`), read(file(flow)));
  });
});

describe('matching diagrams', () => {
  it('accepts the same thing drawn elsewhere, larger and in another order', () => {
    const drawn = [
      line('1f', '3', '9', 'yes'),
      box('9', 'Store', 700, 420),
      box('3', 'Decide', 380, 400, 'rhombus;fillColor=#ff0;html=1;'),
      line('1e', '7', '3'),
      box('7', 'Ask', 410, 100),
    ].join('');
    assert.deepEqual(wrong(drawn), []);
  });

  it('says which shape is missing, and which is extra', () => {
    assert.deepEqual(wrong(flow.replace('rhombus', 'ellipse')), [
      'shapes: missing: diamond "Decide"; unexpected: ellipse "Decide"',
    ]);
    assert.deepEqual(wrong(three.slice(1).join('')), ['shapes: missing: rectangle "Ask"']);
    assert.deepEqual(wrong(flow + box('i', '', 0, 0, 'shape=image;image=x')), [
      'shapes: unexpected: image ""',
    ]);
  });

  it('says which arrow is reversed, missing or has another label', () => {
    const with2 = (...arrows: string[]) => wrong([...three, ...arrows].join(''));
    assert.deepEqual(with2(line('e', 'b', 'a'), line('f', 'b', 'c', 'yes')), [
      'arrows: missing: from rectangle "Ask" to diamond "Decide"; unexpected: from diamond "Decide" to rectangle "Ask"',
    ]);
    assert.match(
      with2(line('e', 'a', 'b'))[0] ?? '',
      /missing: from diamond "Decide" to rectangle "Store", "yes"/,
    );
    assert.match(with2(line('e', 'a', 'b'), line('f', 'b', 'c', 'no'))[0] ?? '', /unexpected: .*"no"/);
    assert.match(
      with2(line('e', 'a', 'b', '', 'endArrow=none;'), line('f', 'b', 'c', 'yes'))[0] ?? '',
      /without a head/,
    );
  });

  it('says what is in another place', () => {
    const turned = flow.replace('x="200" y="100"', 'x="-200" y="100"');
    assert.match(wrong(turned)[0] ?? '', /^layout: .*rectangle "Ask" is not left of rectangle "Store"/);
  });

  it('distinguishes shapes that look the same by their arrows', () => {
    const twins = (first: number, second: number) =>
      [
        box('a', 'Step', first, 0),
        box('b', 'Step', second, 0),
        box('c', 'End', 400, 200),
        line('e', 'a', 'c', 'one'),
        line('f', 'b', 'c', 'two'),
      ].join('');
    assert.deepEqual(wrong(twins(0, 400), twins(0, 400)), []);
    assert.match(wrong(twins(400, 0), twins(0, 400))[0] ?? '', /^layout/);
  });
});

describe('the check of a diagram', () => {
  it("reads the agent's file, in any form", async () => {
    await using folder = await temporaryFolder();
    await mkdir(folder.file('workspace/folder'), { recursive: true });
    await writeFile(folder.file('workspace/a.drawio'), file(flow));
    await writeFile(folder.file('workspace/b.drawio'), 'no');
    const files = new AgentFiles(folder.path);
    const outcome = async (path: string) =>
      (await diagramMatches(files, path, file(flow))).map(({ name, passed, why }) => (passed ? name : why));
    assert.deepEqual(await outcome('/workspace/a.drawio'), ['shapes', 'arrows', 'layout']);
    assert.deepEqual(await outcome('/workspace/b.drawio'), ['is not XML']);
    assert.match((await outcome('/workspace/folder'))[0] ?? '', /is a folder/);
    assert.match((await outcome('/workspace/none'))[0] ?? '', /does not exist/);
    await assert.rejects(diagramMatches(files, '/workspace/a.drawio', 'no'), /expected diagram is not XML/);
  });
});
