import type { DocumentKind } from '../../contracts/page-content.ts'
import { percentDecoded } from '../../util/words.ts'

/** Kind of a response: a page, a file that can be converted to text, or neither. */
export type Kind = 'html' | DocumentKind | 'binary'

const encodings: Readonly<Record<Kind, 'text' | 'binary'>> = {
  html: 'text',
  pdf: 'binary',
  docx: 'binary',
  xlsx: 'binary',
  pptx: 'binary',
  odt: 'binary',
  ods: 'binary',
  odp: 'binary',
  rtf: 'binary',
  epub: 'binary',
  csv: 'text',
  json: 'text',
  ndjson: 'text',
  xml: 'text',
  feed: 'text',
  text: 'text',
  markdown: 'text',
  code: 'text',
  image: 'binary',
  notebook: 'text',
  mail: 'text',
  binary: 'binary',
}
/** True if a file of this kind can be shown unchanged. */
export const isTextKind = (kind: Kind): boolean => encodings[kind] === 'text'

const office = 'vnd\\.openxmlformats-officedocument\\.'
const byType: readonly (readonly [RegExp, Kind])[] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, 'html'],
  [/^application\/(?:x-|vnd\.)?pdf$|^text\/(?:x-)?pdf$/, 'pdf'],
  [officeType('wordprocessingml\\.(?:document|template)|ms-word\\.(?:document|template)\\.macroenabled\\.12'), 'docx'],
  [officeType('spreadsheetml\\.(?:sheet|template)|ms-excel\\.(?:sheet|template)\\.macroenabled\\.12'), 'xlsx'],
  [
    officeType(
      'presentationml\\.(?:presentation|slideshow|template)|ms-powerpoint\\.(?:presentation|slideshow|template)\\.macroenabled\\.12',
    ),
    'pptx',
  ],
  [/^application\/(?:x-)?vnd\.oasis\.opendocument\.text(?:-template|-flat-xml)?$/, 'odt'],
  [/^application\/(?:x-)?vnd\.oasis\.opendocument\.spreadsheet(?:-template)?$/, 'ods'],
  [/^application\/(?:x-)?vnd\.oasis\.opendocument\.presentation(?:-template)?$/, 'odp'],
  [/^application\/epub(?:\+zip)?$/, 'epub'],
  [/^(?:application|text)\/(?:x-)?(?:rtf|richtext)$/, 'rtf'],
  [/^(?:text|application)\/(?:x-)?(?:csv|tsv|comma-separated-values|tab-separated-values)$/, 'csv'],
  [/^application\/(?:rss|atom|feed)\+(?:xml|json)$|^application\/(?:rss|atom)$|^text\/rss(?:\+xml)?$/, 'feed'],
  [/^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|json-?lines|json-seq)$|\+json-seq$/, 'ndjson'],
  [/^application\/x-ipynb\+json$/, 'notebook'],
  [/^(?:message\/(?:rfc822|global)|multipart\/related|(?:application|multipart)\/x-mimearchive)$/, 'mail'],
  [/^(?:application|text)\/(?:x-)?json5?$|\+json$/, 'json'],
  [/^image\/(?:x-)?(?:png|apng|jpe?g|pjpeg|gif|webp|avif|svg\+xml|svg|(?:ms-)?bmp|icon?|tiff?)$/, 'image'],
  [/^image\/vnd\.(?:microsoft\.icon|mozilla\.apng)$/, 'image'],
  [/^(?:application|text)\/xml(?:-dtd)?$|^(?!image\/).*\+xml$/, 'xml'],
  [/^text\/(?:x-|vnd\.daringfireball\.)?(?:web-)?markdown$/, 'markdown'],
  [/^text\/(?:x-log|calendar|vcard|x-vcard|x-readme)$|^application\/(?:x-)?subrip$/, 'text'],
  [/^text\/(?:x-|css$|javascript|ecmascript|jsx?$|typescript|yaml|toml|coffeescript|vnd\.(?:yaml|graphviz))/, 'code'],
  [
    /^application\/(?:x-)?(?:javascript|ecmascript|typescript|yaml|toml|sql|sh|shellscript|csh|perl|python(?:-code)?|ruby|php|httpd-php|tex|latex|graphql|vnd\.yaml)$/,
    'code',
  ],
  [/^text\//, 'text'],
]

function officeType(names: string): RegExp {
  return new RegExp(`^application/(?:${office}(?:${names})|vnd\\.(?:${names}))$`)
}

const endings: Readonly<Record<Exclude<Kind, 'code'>, string>> = {
  html: 'html htm xhtml xht',
  pdf: 'pdf',
  docx: 'docx docm dotx',
  xlsx: 'xlsx xlsm xltx',
  pptx: 'pptx pptm ppsx potx',
  odt: 'odt ott',
  ods: 'ods ots',
  odp: 'odp otp',
  rtf: 'rtf',
  epub: 'epub',
  csv: 'csv tsv tab',
  json: 'json json5 jsonc geojson webmanifest',
  ndjson: 'ndjson jsonl',
  feed: 'rss atom',
  xml: 'xml xsd xsl xslt opml kml gpx',
  markdown: 'md markdown mdx mkd',
  text: 'txt text log vtt srt',
  image: 'png apng jpg jpeg jpe gif webp avif svg bmp ico tif tiff',
  notebook: 'ipynb',
  mail: 'eml mht mhtml',
  binary: 'doc xls ppt zip gz tgz 7z rar exe dmg iso mp3 mp4 webm mov avi woff woff2 ttf otf wasm',
}

/** Languages by their names in code fences, with their file extensions. */
const languages: Readonly<Record<string, string>> = {
  bash: 'sh bash zsh ksh',
  batch: 'bat cmd',
  c: 'c h',
  clojure: 'clj cljs edn',
  cpp: 'cpp cc cxx hpp hh hxx',
  csharp: 'cs',
  css: 'css',
  dart: 'dart',
  diff: 'diff patch',
  elixir: 'ex exs',
  erlang: 'erl hrl',
  go: 'go',
  graphql: 'graphql gql',
  haskell: 'hs',
  hcl: 'tf hcl',
  ini: 'ini cfg conf properties',
  java: 'java',
  javascript: 'js mjs cjs jsx',
  julia: 'jl',
  kotlin: 'kt kts',
  latex: 'tex latex',
  less: 'less',
  lua: 'lua',
  nix: 'nix',
  ocaml: 'ml mli',
  perl: 'pl pm',
  php: 'php',
  powershell: 'ps1 psm1',
  protobuf: 'proto',
  python: 'py pyi pyw',
  r: 'r',
  ruby: 'rb',
  rust: 'rs',
  scala: 'scala sc',
  scss: 'scss sass',
  sql: 'sql',
  swift: 'swift',
  toml: 'toml',
  typescript: 'ts tsx mts cts',
  vue: 'vue',
  yaml: 'yaml yml',
  zig: 'zig',
}
/** Words of media types whose language has another name in code fences. */
const languageByWord: Readonly<Record<string, string>> = {
  'c++src': 'cpp',
  'c++hdr': 'cpp',
  'c++': 'cpp',
  csrc: 'c',
  chdr: 'c',
  csh: 'bash',
  ecmascript: 'javascript',
  golang: 'go',
  'httpd-php': 'php',
  'java-source': 'java',
  'python-code': 'python',
  'python-script': 'python',
  shellscript: 'bash',
  'script.python': 'python',
}

/** Media types of the kinds that have one usual type. */
const typeByKind: Readonly<Partial<Record<Kind, string>>> = {
  html: 'text/html',
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  rtf: 'application/rtf',
  epub: 'application/epub+zip',
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  xml: 'application/xml',
  markdown: 'text/markdown',
  text: 'text/plain',
  notebook: 'application/x-ipynb+json',
  mail: 'message/rfc822',
}

/** Picture extensions that differ from the subtype of their media type. */
const imageSubtypes: Readonly<Record<string, string>> = {
  jpg: 'jpeg',
  jpe: 'jpeg',
  svg: 'svg+xml',
  ico: 'x-icon',
  tif: 'tiff',
}

const byEnding = new Map<string, Kind>([
  ...Object.values(languages).flatMap((list) => list.split(' ').map((ending) => [ending, 'code'] as const)),
  ...Object.entries(endings).flatMap(([kind, list]) =>
    list.split(' ').map((ending) => [ending, kind as Kind] as const),
  ),
])
const languageByEnding = new Map(
  Object.entries(languages).flatMap(([name, list]) => list.split(' ').map((ending) => [ending, name] as const)),
)

/** Returns the kind for a media type; undefined unless the type is known to be text, image or document. */
export function kindOfType(type: string): Kind | undefined {
  return byType.find(([pattern]) => pattern.test(type))?.[1]
}

/** Returns the kind for a file extension; undefined if unknown. */
export function kindOfName(filename: string): Kind | undefined {
  return byEnding.get(endingOf(filename))
}

/** Returns the media type for a file extension; undefined if only the bytes can identify it. */
export function typeOfName(filename: string): string | undefined {
  const kind = kindOfName(filename)
  const ending = endingOf(filename)
  if (kind === 'code') return `text/x-${languageByEnding.get(ending)}`
  if (kind === 'image') return `image/${imageSubtypes[ending] ?? ending}`
  return kind && typeByKind[kind]
}

/** Returns the media type of a kind detected from the bytes; undefined if only the file name can identify it. */
export const typeOfKind = (kind: Kind): string | undefined => typeByKind[kind]

/** Returns the last path segment of a URL as a file name. */
export function nameIn(url: string): string {
  return percentDecoded(URL.parse(url)?.pathname.split('/').at(-1) ?? '')
}

/** Returns the code fence language of source code, by media type or file name; empty if unknown. */
export function languageOf(contentType: string | undefined, url: string): string {
  const word = essenceOf(contentType ?? '').replace(/^[^/]*\/(?:x-|vnd\.)*/, '')
  const language = languageByWord[word] ?? (Object.hasOwn(languages, word) ? word : languageByEnding.get(word))
  return language ?? languageByEnding.get(endingOf(nameIn(url))) ?? ''
}

/**
 * Returns the type in a `content-type` header, without parameters. A repeated header is joined by commas; its last type
 * counts, as in browsers (Fetch, "extract a MIME type").
 */
export function essenceOf(contentType: string): string {
  const types = contentType.split(',').map((each) => (each.split(';', 1)[0] ?? '').trim().toLowerCase())
  return types.findLast((type) => type.includes('/')) ?? types[0] ?? ''
}

function endingOf(filename: string): string {
  return /\.([a-z\d]{1,12})$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
}
