import type { Converted, Source } from '../converter.ts'
import { type Block, blocksHtml } from '../markup/lists.ts'
import { createNotes } from '../markup/notes.ts'
import { openPackage, type Package, related, relationshipsOf } from '../xml/package.ts'
import { type Wanted, type XmlElement, xmlElements, xmlEvents } from '../xml/xml.ts'
import { blocksOf, innerHtml } from './blocks.ts'
import { createFields } from './fields.ts'
import { readNumbering } from './numbering.ts'
import { type DocxStyles, readStyles } from './styles.ts'
import type { BlockContext } from './context.ts'

/** Reads a Word document (ISO/IEC 29500-1, transitional and strict), block by block as it is inflated. */
export function readDocx({ bytes }: Source): Converted {
  const file = openPackage(bytes, 'word/document.xml')
  const chunksOf = (type: string) => file.archive.chunks(related(file.relationships, type) ?? `word/${type}.xml`)
  const styles = readStyles(chunksOf('styles'))
  const numbering = readNumbering(chunksOf('numbering'), (style) => styles.of(style).numbered.id)
  const notes = createNotes()
  const context: BlockContext = {
    styles,
    numbering,
    relationships: file.relationships,
    fields: createFields(),
    noteMark: noteMarks(file, () => context, notes),
    float: () => {},
  }
  const html = blocksHtml(mainBlocks(file, context)) + notes.html()
  return { html, metadata: { ...languageOf(styles), ...file.metadata } }
}

const wanted: Wanted = (name) =>
  name === 'w:p' || name === 'w:tbl' ? 'whole' : name === 'mc:Fallback' ? 'mark' : undefined

function* mainBlocks({ archive, main }: Package, context: BlockContext): Generator<Block> {
  let fallbacks = 0
  for (const { kind, element } of xmlEvents(archive.chunks(main), wanted)) {
    if (kind === 'open') fallbacks++
    else if (kind === 'close') fallbacks--
    else if (fallbacks === 0) yield* blocksOf(element, context)
  }
}

const languageOf = ({ language }: DocxStyles) => (language === undefined ? {} : { language })

/** Notes are in parts of their own, which are read when the first of them is referred to. */
function noteMarks(
  file: Package,
  context: () => BlockContext,
  notes: ReturnType<typeof createNotes>,
): BlockContext['noteMark'] {
  const read = (kind: 'footnote' | 'endnote') => {
    const part = related(file.relationships, `${kind}s`) ?? `word/${kind}s.xml`
    const found = new Map<string, XmlElement>()
    for (const note of xmlElements(file.archive.chunks(part), `w:${kind}`))
      found.set(note.attributes['w:id'] ?? '', note)
    return { found, relationships: relationshipsOf(file.archive, part) }
  }
  const parts = new Map<string, ReturnType<typeof read>>()
  return (kind, id) => {
    const part = parts.get(kind) ?? read(kind)
    parts.set(kind, part)
    const note = part.found.get(id)
    if (!note) return ''
    // A note that refers to a note would never end.
    const inner = { ...context(), relationships: part.relationships, fields: createFields(), noteMark: () => '' }
    return notes.refer(`${kind} ${id}`, () => innerHtml(note, inner))
  }
}
