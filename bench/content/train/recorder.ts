import { classOf, type DomNode, isElement } from '../../../src/engine/html/dom/dom-tree.ts'
import { type Block, type Box, isBlockName } from '../../../src/engine/html/main-content/text-block.ts'
import * as real from '../../../src/engine/html/main-content/features.ts'
import { nameParts } from '../../../src/engine/html/main-content/block-model.ts'

/**
 * Blocks of the last page: their texts, boxes and features. Each box has the index of the box around it, and names of
 * its own.
 */
export type Seen = { texts: string[]; blocks: number[]; rows: Float32Array; boxes: [up: number, names: string[]][] }

let seen: Seen | undefined

export function lastSeen(): Seen | undefined {
  const last = seen
  seen = undefined
  return last
}

/** Replaces `featuresOf` of the product while training pages are read. */
export const featuresOf: typeof real.featuresOf = (blocks, measures, signs) => {
  const rows = real.featuresOf(blocks, measures, signs)
  const numbers = new Map<Box, number>()
  const boxes: Seen['boxes'] = []
  seen = { texts: blocks.map(textOf), blocks: blocks.map(({ box }) => numberOf(box)), rows, boxes }
  return rows

  function numberOf(box: Box): number {
    const known = numbers.get(box)
    if (known !== undefined) return known
    const up = box.up ? numberOf(box.up) : -1
    const { element } = box
    const names = box.up ? nameParts(`${classOf(element)} ${element.getAttribute('id') ?? ''}`) : []
    numbers.set(box, boxes.length)
    boxes.push([up, names])
    return boxes.length - 1
  }
}

function textOf({ nodes }: Block): string {
  const read = (node: DomNode): string => {
    if (!isElement(node)) return node.textContent
    const inner = node.childNodes.map(read).join('')
    return node.localName === 'br' || isBlockName(node.localName) ? ` ${inner} ` : inner
  }
  return nodes.map(read).join('').replace(/\s+/g, ' ').trim()
}
