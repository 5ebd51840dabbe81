import type { Part, Presentation } from '../../../kernel/operation.ts'
import { sanitised } from '../content.ts'
import { findPassages } from './find.ts'
import { matcherOf, type Matcher } from './matcher.ts'
import { type Heading, headingsOf, nameOf } from './outline.ts'
import { sectionNamed } from './section.ts'

/** The part of a page that is wanted: the passages that hold something, what stands under a heading, or the one in the other. */
export type Wanted = { find?: string | undefined; section?: string | undefined }
type PagePart = Extract<Part, { kind: 'page' }>
type Room = { maxCharacters: number; isChosen: boolean }
export type Choice = { wanted: Wanted; matcher: Matcher | undefined }

/** Undefined where the whole is wanted. Fails with BAD_REQUEST before any page is visited. */
export async function choiceOf({ find, section }: Wanted): Promise<Choice | undefined> {
  const wanted = { find: find?.trim() || undefined, section: section?.trim() || undefined }
  if (wanted.find === undefined && wanted.section === undefined) return undefined
  return { wanted, matcher: wanted.find === undefined ? undefined : await matcherOf(wanted.find) }
}

/** A presentation of a page with that part instead of the whole. Other formats are left out, pictures stay. */
export function partOf(presentation: Presentation, { wanted, matcher }: Choice, room: Room): Presentation {
  const { readOn } = presentation
  const parts = presentation.parts.map(sanitised)
  const pages = parts.filter((part) => part.kind === 'page')
  const page = pages.find(({ label }) => label === 'markdown') ?? pages[0]
  if (!page) return presentation
  const before = pages.slice(0, pages.indexOf(page)).reduce((sum, { text }) => sum + text.length, 0)
  const [words, pictures] = (['text', 'image'] as const).map((kind) => parts.filter((part) => part.kind === kind))
  const around = (inner: readonly Part[]): Part[] => [...(words ?? []), ...inner, ...(pictures ?? [])]
  const section = chosenSection(page, wanted.section, before)
  if ('parts' in section) return { parts: around(section.parts) }
  const { heading, notes } = section
  if (matcher && wanted.find !== undefined) {
    const found = passages(page, { find: wanted.find, matcher }, { heading, before, room })
    return { parts: around([...notes, ...found]) }
  }
  const text = page.text.slice(heading?.at, heading?.end)
  const next = readOn && { ...readOn, arguments: { ...readOn.arguments, section: wanted.section } }
  return { parts: around([...notes, { ...page, text: text.trimEnd() }]), ...(next && { readOn: next }) }
}

const quoted = (text: string): string => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)
const own = (text: string): Part => ({ kind: 'text', text })

function chosenSection(
  page: PagePart,
  name: string | undefined,
  before: number,
): { heading?: Heading; notes: Part[] } | { parts: Part[] } {
  if (name === undefined) return { notes: [] }
  const chosen = sectionNamed(headingsOf(page.text), name)
  if ('heading' in chosen) {
    const places = chosen.others.slice(0, 5).map(({ at }) => before + at)
    const more = `${chosen.others.length} more headings are called so, at offset ${places.join(', ')}. "Parent > Heading" tells them apart.`
    return { heading: chosen.heading, notes: places.length > 0 ? [own(more)] : [] }
  }
  if (chosen.nearest.length === 0) return { parts: [own(`No heading ${quoted(name)}: the page has no headings.`)] }
  const text = chosen.nearest.map((heading) => `${before + heading.at} ${nameOf(heading)}`).join('\n')
  return { parts: [own(`No heading ${quoted(name)}. The nearest, with offset:`), { ...page, text }] }
}

/** About 300 tokens, so that the whole answer keeps to 400. */
const usualRoom = 1100
const usualPassages = 5

function passages(
  page: PagePart,
  { find, matcher }: { find: string; matcher: Matcher },
  { heading, before, room }: { heading: Heading | undefined; before: number; room: Room },
): Part[] {
  const { at = 0, end = page.text.length } = heading ?? {}
  const found = findPassages(page.text, matcher, {
    from: at,
    end,
    maxCharacters: room.isChosen ? Math.max(usualRoom / 2, room.maxCharacters - 800) : usualRoom,
    maxPassages: room.isChosen ? 50 : usualPassages,
  })
  if (found.count === 0) return [own(`Nothing has ${quoted(find)} in ${end - at} characters.`)]
  const text = found.passages.map((each) => `[${`${before + each.at} ${each.heading}`.trim()}]\n${each.text}`)
  const shown = `${found.passages.length} of ${found.count} passages, each after its offset and heading.`
  const lack = found.isPartial ? ' None has all of the words.' : ''
  return [own(`${shown}${lack}`), { ...page, text: text.join('\n\n') }]
}
