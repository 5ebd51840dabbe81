import type { Converted, Source } from '../converter.ts'
import { type Block, blocksHtml } from '../markup/lists.ts'
import { type Wanted, xmlEvents } from '../xml/xml.ts'
import { blockNames, odfBlocks, skippedNames } from './blocks.ts'
import { type OdfFile, openOdf } from './file.ts'
import { styleElements } from './styles.ts'

/** Reads an OpenDocument text (ISO/IEC 26300), block by block as it is inflated. */
export function readOdt({ bytes }: Source): Converted {
  const file = openOdf(bytes)
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
