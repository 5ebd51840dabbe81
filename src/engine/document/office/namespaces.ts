const ooxml = 'http://schemas.openxmlformats.org/'
const strict = 'http://purl.oclc.org/ooxml/'
const odf = 'urn:oasis:names:tc:opendocument:xmlns:'

/** Transitional and strict OOXML say the same under two names each. */
const both = (prefix: string, transitional: string, strictName: string): [string, string][] => [
  [ooxml + transitional, prefix],
  [strict + strictName, prefix],
]

const prefixes: ReadonlyMap<string, string> = new Map([
  ...both('w', 'wordprocessingml/2006/main', 'wordprocessingml/main'),
  ...both('s', 'spreadsheetml/2006/main', 'spreadsheetml/main'),
  ...both('p', 'presentationml/2006/main', 'presentationml/main'),
  ...both('a', 'drawingml/2006/main', 'drawingml/main'),
  ...both('c', 'drawingml/2006/chart', 'drawingml/chart'),
  ...both('dgm', 'drawingml/2006/diagram', 'drawingml/diagram'),
  ...both('wp', 'drawingml/2006/wordprocessingDrawing', 'drawingml/wordprocessingDrawing'),
  ...both('pic', 'drawingml/2006/picture', 'drawingml/picture'),
  ...both('r', 'officeDocument/2006/relationships', 'officeDocument/relationships'),
  ...both('m', 'officeDocument/2006/math', 'officeDocument/math'),
  ['http://schemas.openxmlformats.org/package/2006/relationships', 'rel'],
  ['http://schemas.openxmlformats.org/package/2006/metadata/core-properties', 'cp'],
  ['http://schemas.openxmlformats.org/markup-compatibility/2006', 'mc'],
  ['http://schemas.microsoft.com/office/word/2010/wordprocessingShape', 'wps'],
  ['http://schemas.microsoft.com/office/word/2010/wordml', 'w14'],
  ['urn:schemas-microsoft-com:vml', 'v'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://purl.org/dc/terms/', 'dcterms'],
  ['http://www.w3.org/1999/xlink', 'xlink'],
  ['http://www.w3.org/1998/Math/MathML', 'math'],
  ['http://www.w3.org/XML/1998/namespace', 'xml'],
  ['http://www.idpf.org/2007/opf', 'opf'],
  ['http://www.w3.org/2001/04/xmlenc#', 'enc'],
  [`${odf}container`, 'container'],
  [`${odf}drawing:1.0`, 'draw'],
  [`${odf}svg-compatible:1.0`, 'svg'],
  [`${odf}xsl-fo-compatible:1.0`, 'fo'],
  ...['office', 'text', 'table', 'style', 'meta', 'presentation', 'manifest'].map((name): [string, string] => [
    `${odf}${name}:1.0`,
    name,
  ]),
])

/** The name of an element or attribute with the prefix that the readers here use, whatever prefix the file uses. */
export function nameOf(uri: string, local: string): string {
  if (uri === '') return local
  return `${prefixes.get(uri) ?? '?'}:${local}`
}
