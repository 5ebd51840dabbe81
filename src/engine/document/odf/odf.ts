import { boundless, type Budget, type Metadata, metadataFrom, type Converted, type Source } from '../converter.ts'
import { type Block, blocksHtml, createNotes } from '../markup/block-markup.ts'
import { refuse } from '../refuse.ts'
import { namedTexts } from '../xml/package.ts'
import {
  child,
  elementsOf,
  firstWithin,
  textOf,
  type Wanted,
  type XmlElement,
  xmlElements,
  xmlEvents,
  xmlRoot,
} from '../xml/xml-stream.ts'
import { type Archive, openArchive } from '../zip/archive.ts'
import { blockNames, innerHtml, odfBlocks, skippedNames, type OdfContext } from './odf-content.ts'
import { createStyles, styleElements } from './odf-styles.ts'

export type OdfFile = {
  archive: Archive
  context: OdfContext
  notesHtml(): string
  metadata: Metadata
}

/** Opens an OpenDocument file (ISO/IEC 26300). Throws SCRAPE_UNSUPPORTED_FILE_ERROR for a locked or empty one. */
export function openOdf(bytes: Uint8Array, budget: Budget): OdfFile {
  const archive = openArchive(bytes, budget)
  for (const _ of xmlElements(archive.chunks('META-INF/manifest.xml'), 'manifest:encryption-data'))
    refuse('The document is password-protected.', { hint: 'Save it without a password and scrape that copy.' })
  if (!archive.has('content.xml')) refuse('The file lacks its content, so there is nothing to read.')
  const styles = createStyles()
  for (const element of xmlElements(archive.chunks('styles.xml'), ...styleElements)) styles.add(element)
  const notes = createNotes()
  const context: OdfContext = {
    styles,
    formulaSource: (path) => {
      const root = xmlRoot(archive.chunks(`${path}/content.xml`))
      return textOf(firstWithin(root, 'math:annotation')).replace(/\s+/g, ' ').trim()
    },
    listNumbers: new Map(),
    float: () => {},
    noteMark: (note) => {
      const inner = { ...context, noteMark: () => '' }
      const id = note.attributes['text:id'] ?? note.attributes['xml:id'] ?? `note ${++unnamed}`
      return notes.refer(id, () => innerHtml(child(note, 'text:note-body') ?? note, inner))
    },
  }
  let unnamed = 0
  return { archive, context, notesHtml: notes.html, metadata: metadataOf(archive) }
}

/** The initial creator is the author; the last editor counts only if no creator is named. */
function metadataOf(archive: Archive): Metadata {
  const root: XmlElement | undefined = xmlRoot(archive.chunks('meta.xml'))
  const texts = elementsOf(root).flatMap(namedTexts)
  const hasAuthor = texts.some(([name, text]) => name === 'meta:initial-creator' && text.trim() !== '')
  return metadataFrom(texts.filter(([name]) => !hasAuthor || name !== 'dc:creator'))
}

/** Reads an OpenDocument text (ISO/IEC 26300), block by block as it is inflated. */
export function readOdt({ bytes }: Source, budget: Budget = boundless): Converted {
  const file = openOdf(bytes, budget)
  const html = blocksHtml(mainBlocks(file)) + file.notesHtml()
  return { html, metadata: file.metadata }
}

const wanted: Wanted = (name) => {
  if (name === 'text:section') return 'mark'
  return blockNames.has(name) || styleElements.includes(name) || skippedNames.test(name) ? 'whole' : undefined
}

function* mainBlocks({ archive, context }: OdfFile): Generator<Block> {
  const sections: boolean[] = []
  for (const { kind, element } of xmlEvents(archive.chunks('content.xml'), wanted)) {
    if (kind === 'open') sections.push(element.attributes['text:display'] === 'none')
    else if (kind === 'close') sections.pop()
    else if (styleElements.includes(element.name)) context.styles.add(element)
    else if (!sections.includes(true)) yield* odfBlocks(element, context)
  }
}
