import { attributesIn, type Tag, tagsIn, textIn } from '../feed/feed-tags.ts'
import type { ImageFacts } from './facts.ts'

const maxTexts = 2000
const wordy = new Set(['title', 'desc', 'text'])
const moving = new Set(['animate', 'animatetransform', 'animatemotion', 'set'])

/** What an SVG says in words: its title and description, and the text that is drawn. */
export function readSvg(svg: string): ImageFacts {
  const words: { name: string; text: string }[] = []
  let root: ReadonlyMap<string, string> = new Map()
  let open: Tag | undefined
  let isAnimated = false
  for (const tag of tagsIn(svg)) {
    const name = localOf(tag)
    if (name === 'svg' && root.size === 0) root = attributesIn(tag.attributes)
    isAnimated ||= moving.has(name)
    if (!open && tag.kind === 'open' && wordy.has(name)) open = tag
    if (!open || tag.kind !== 'close' || tag.name !== open.name) continue
    words.push({ name, text: plainText(svg.slice(open.end, tag.start)) })
    open = undefined
  }
  const first = (name: string) => words.find((word) => word.name === name)?.text
  const drawn = words.filter(({ name, text }) => name === 'text' && text !== '').slice(0, maxTexts)
  return {
    format: 'SVG',
    ...sizeOf(root),
    isAnimated,
    title: first('title'),
    description: first('desc'),
    text: drawn.map(({ text }) => text),
  }
}

const localOf = ({ name }: Tag) => name.slice(name.indexOf(':') + 1)

/** Lines of a text are elements of their own, which stand apart. */
const plainText = (markup: string) =>
  textIn(markup.replace(/<[^<>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()

function sizeOf(root: ReadonlyMap<string, string>): { width?: number | undefined; height?: number | undefined } {
  const [, , width, height] = (root.get('viewbox') ?? '').trim().split(/[\s,]+/)
  return { width: pixels(root.get('width')) ?? pixels(width), height: pixels(root.get('height')) ?? pixels(height) }
}

function pixels(length: string | undefined): number | undefined {
  const [, number] = /^\s*(\d{1,7}(?:\.\d+)?)(?:px)?\s*$/.exec(length ?? '') ?? []
  return number === undefined ? undefined : Number(number)
}
