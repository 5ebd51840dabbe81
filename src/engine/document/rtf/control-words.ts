import { hrefOf, isSilentCode } from '../markup/word-fields.ts'
import { createBuilder } from './rtf-blocks.ts'
import {
  change,
  changeCharacterFormat,
  changeParagraphFormat,
  paragraphOf,
  emitText,
  type RtfReader,
  codePageLabel,
} from './rtf-state.ts'

type ControlWordHandler = (reader: RtfReader, value: number | undefined) => void

const isOn = (value: number | undefined) => value !== 0

/** Runs the handler only in text, where it ends or adds something. */
const inText =
  (act: (reader: RtfReader) => void): ControlWordHandler =>
  (reader) =>
    void (reader.state.destination === 'text' && act(reader))

const endParagraph = inText((reader) => reader.state.builder.endParagraph(paragraphOf(reader)))
const lineBreak = inText(({ state }) => state.builder.add({ html: '<br>', style: {} }))

/** Handlers by control word; all other control words are ignored. */
const words = new Map<string, ControlWordHandler>(
  Object.entries<ControlWordHandler>({
    par: endParagraph,
    sect: endParagraph,
    line: lineBreak,
    nestrow: lineBreak,
    cell: inText((reader) => reader.state.builder.endCell(paragraphOf(reader))),
    row: inText(({ state }) => state.builder.endRow()),
    trowd: inText(({ state }) => state.builder.startRow()),
    trhdr: ({ state }) => state.builder.rowFact('head'),
    clmrg: ({ state }) => state.builder.rowFact('covered'),
    clvmrg: ({ state }) => state.builder.rowFact('continued'),
    cellx: ({ state }, value) => state.builder.cellEdge(value ?? 0),
    pard: (reader) => change(reader, { paragraph: {} }),
    intbl: (reader) => changeParagraphFormat(reader, { isInTable: true }),
    s: (reader, style) => changeParagraphFormat(reader, { style }),
    outlinelevel: (reader, outline) => changeParagraphFormat(reader, { outline }),
    ilvl: (reader, value) => changeParagraphFormat(reader, { level: value ?? 0 }),
    ls: (reader, value) => changeParagraphFormat(reader, { isListed: value !== 0 }),
    plain: (reader) => change(reader, { look: { href: reader.state.look.href } }),
    b: (reader, value) => changeCharacterFormat(reader, { bold: isOn(value) }),
    i: (reader, value) => changeCharacterFormat(reader, { italic: isOn(value) }),
    strike: (reader, value) => changeCharacterFormat(reader, { strike: isOn(value) }),
    striked: (reader, value) => changeCharacterFormat(reader, { strike: isOn(value) }),
    v: (reader, value) => changeCharacterFormat(reader, { isHidden: isOn(value) }),
    deleted: (reader, value) => changeCharacterFormat(reader, { isHidden: isOn(value) }),
    super: (reader) => changeCharacterFormat(reader, { position: 'sup' }),
    sub: (reader) => changeCharacterFormat(reader, { position: 'sub' }),
    nosupersub: (reader) => changeCharacterFormat(reader, { position: undefined }),
    cs: (reader, value) => changeCharacterFormat(reader, { code: reader.tables.styles.get(`cs${value}`)?.isCode }),
    f: (reader, font) => changeCharacterFormat(reader, { font }),
    deff: (reader, value) => void (reader.usualFont = value),
    ansicpg: (reader, value) => void (reader.usualLabel = codePageLabel(value ?? 1252)),
    mac: (reader) => void (reader.usualLabel = 'macintosh'),
    uc: (reader, value) => change(reader, { unicodeSkip: Math.min(16, Math.max(0, value ?? 1)) }),
    u: (reader, value) => {
      emitText(reader, String.fromCharCode((value ?? 0x3f) & 0xffff))
      reader.skip = reader.state.unicodeSkip
    },
    fonttbl: (reader) => change(reader, { destination: 'table' }),
    stylesheet: (reader) => change(reader, { destination: 'table' }),
    listtext: openMark,
    pntext: openMark,
    pn: (reader) => change(reader, { destination: 'skip' }),
    info: (reader) => change(reader, { destination: 'skip', fact: 'info' }),
    field: (reader) => change(reader, { field: { code: '' } }),
    fldinst: (reader) => change(reader, { destination: 'instruction' }),
    fldrslt: openResult,
    footnote: (reader) => change(reader, { builder: createBuilder(), look: {}, paragraph: {} }),
  }),
)

function openMark(reader: RtfReader): void {
  change(reader, { destination: 'mark', look: {} })
  reader.state.builder.mark('')
}

function openResult(reader: RtfReader): void {
  const code = reader.state.field?.code ?? ''
  changeCharacterFormat(reader, { href: hrefOf(code) ?? reader.state.look.href })
  if (isSilentCode(code)) change(reader, { destination: 'skip' })
}

const signs: ReadonlyMap<string, string> = new Map(
  'tab\t emdash— endash– lquote‘ rquote’ ldblquote“ rdblquote” bullet• ~\u00A0 _‑ {{ }} \\\\ nestcell\t zwj\u200D zwnj\u200C'
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)]),
)
const facts: ReadonlyMap<string, string> = new Map(
  'title=dc:title author=dc:creator subject=dc:subject keywords=cp:keywords doccomm=dc:description creatim=dcterms:created revtim=dcterms:modified'
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
)
/** Groups that are not text of the document, in addition to those marked with a star. */
const skipped =
  /^(?:pict|objdata|objclass|header[lrf]?|footer[lrf]?|colortbl|a?ftnsep\w*|xe|tc|rxe|txe|pntxt[ab]|nonshppict|filetbl|s[pnv]|revtbl|listtable|listoverridetable)$/
const knownStars = /^(?:fldinst|footnote|shpinst|shptxt|cs|ts|ds|listtext|pntext)$/

export function applyControlWord(reader: RtfReader, name: string, value: number | undefined): void {
  const { destination, fact } = reader.state
  const isUnknownStar = reader.isStarred && !knownStars.test(name)
  reader.isStarred = name === '*'
  if (isUnknownStar) change(reader, { destination: 'skip', fact: '' })
  else if (destination === 'table') reader.tables.word(name, value)
  else if (destination === 'time') reader.time[name] = value ?? 0
  else if (destination === 'skip') {
    if (fact === 'info') openFact(reader, name)
  } else if (skipped.test(name)) change(reader, { destination: 'skip' })
  else applyInText(reader, name, value)
}

function applyInText(reader: RtfReader, name: string, value: number | undefined): void {
  const sign = signs.get(name)
  if (sign === undefined) words.get(name)?.(reader, value)
  else emitText(reader, sign)
}

function openFact(reader: RtfReader, name: string): void {
  const fact = facts.get(name)
  if (fact !== undefined) change(reader, { destination: name.endsWith('tim') ? 'time' : 'fact', fact })
}
