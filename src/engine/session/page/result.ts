import type { SessionAction, ActionsResult } from '../../../contracts/page-action.ts'
import type { Outline } from '../../page-script/snapshot/types.ts'
import type { Dialogs, OpenDialog, PastDialog } from './dialogs.ts'
import { fitted } from './fit.ts'
import type { Line } from './lines.ts'
import type { LiveTab } from './live-tab.ts'
import { rememberedOf } from './snapshot.ts'
import type { TabFacts, TabNews } from './tabs.ts'
import type { Said } from './types.ts'
import { waitingFor } from './blocked.ts'

/** What came of some acts. */
export type Story = {
  acts: readonly SessionAction[]
  said: Said[]
  failure?: string
  news: TabNews
  /** The tab in which it began, and what was known of its page. */
  start: LiveTab
  before: { documentId: string; lines: readonly Line[] } | undefined
}
type Looked = { value: Outline | undefined } | { dialog: OpenDialog } | { failure: string }
type Ending = Story & { looked: Looked; now: LiveTab; tabs: readonly TabFacts[] }

const changeCharacters = 1500
const pageCharacters = 2500
/** Where what was wanted of it has been extracted already. */
const briefCharacters = 800
/** Where the place is told that was waited for. */
const besidePlaceCharacters = 400
const mostComplaints = 3

/** The answer to acts: what was said, then what is different now. A new page is told as a snapshot of it. */
export function resultOf(ending: Ending): ActionsResult {
  const { acts, said, failure, looked, now } = ending
  const extracted = said.flatMap((each) => each.extracted ?? [])
  const outline = 'value' in looked ? looked.value : undefined
  const lines = [...actLines(ending), ...besideLines(ending), ...extracted, ...pageLines(ending, outline)]
  return {
    ok: failure === undefined && said.length === acts.length,
    done: said.length,
    url: outline?.url ?? now.traffic.document()?.url ?? '',
    title: outline?.title ?? '',
    text: lines.filter((line) => line !== '').join('\n'),
    extracted,
  }
}

function actLines({ acts, said, failure }: Ending): string[] {
  const all = said.flatMap(({ remark }, at) => (remark ? [`${nameOf(acts[at])}: ${remark}`] : []))
  const remarks = all.filter((each, at) => each !== all[at + 1])
  const left = acts.length - said.length
  if (failure !== undefined) {
    const rest = left > 1 ? ` The ${left - 1} after it were not done.` : ''
    return [
      ...remarks,
      `Act ${said.length + 1} of ${acts.length} failed (${nameOf(acts[said.length])}): ${failure}${rest}`,
    ]
  }
  if (left > 0) return [...remarks, `Done: ${said.length} of ${acts.length} acts.`]
  return remarks
}

function nameOf(each: SessionAction | undefined): string {
  const target = each && 'target' in each ? ` ${each.target ?? ''}` : ''
  return `${each?.type}${target}`.trim()
}

function besideLines({ news, now, start, tabs, looked }: Ending): string[] {
  const complaints = [...new Set([...start.complaints(), ...(now === start ? [] : now.complaints())])]
  return [
    ...('dialog' in looked ? [waitingFor(looked.dialog)] : []),
    ...('failure' in looked ? [looked.failure] : []),
    ...pastLines(start.dialogs.past()),
    ...openedLine(news.opened, tabs),
    ...news.closed.map((id) => `Tab ${id} was closed.`),
    ...news.downloads.map((name) => `Download: ${name.slice(0, 100)}.`),
    ...complaints.slice(0, mostComplaints).map((text) => `Console error: ${text}`),
  ]
}

function openedLine(opened: readonly string[], tabs: readonly TabFacts[]): string[] {
  const open = opened.filter((id) => tabs.some((each) => each.id === id))
  const current = tabs.find(({ isCurrent }) => isCurrent)?.id ?? ''
  if (open.length === 0) return []
  const place = open.includes(current) ? `${open.length > 1 ? `; ${current}` : ', which'} is current now` : ''
  return [`New tab ${open.join(', ')}${place}; tabs: ${tabs.map(({ id }) => id).join(', ')}.`]
}

function pastLines({ last, count }: ReturnType<Dialogs['past']>): string[] {
  const rest = count - last.length
  return [...(rest > 0 ? [`${rest} other dialogs were answered before.`] : []), ...last.map(pastLine)]
}

function pastLine({ kind, message, answer }: PastDialog): string {
  const text = answer.text === undefined ? '' : ` with "${answer.text}"`
  return `Dialog ${kind} "${message}" was ${answer.accept ? 'accepted' : 'dismissed'}${text}.`
}

function pageLines(ending: Ending, outline: Outline | undefined): string[] {
  if (!outline) return []
  const { before, now } = ending
  const after = rememberedOf(outline)
  now.memory.last = after
  const isOther = before?.documentId !== after.documentId
  return isOther ? newPage(ending, outline) : changes(ending, after.lines, before.lines)
}

/** A page that was not told before. Where what was wanted of it is told already, little is said of the rest. */
function newPage({ said, start, now }: Ending, outline: Outline): string[] {
  const known = now.memory.frames ?? start.memory.frames
  const told = (most: number) => fitted(outline, {}, most, known)
  const isExtracted = said.some((each) => each.extracted !== undefined)
  const whole = told(isExtracted ? briefCharacters : pageCharacters)
  const places = placesBeside(said, whole.body)
  const page = places.length > 0 ? told(besidePlaceCharacters) : whole
  now.memory.frames = page.frames
  return [...places, page.text]
}

function changes({ acts, said }: Ending, after: readonly Line[], before: readonly Line[]): string[] {
  const { text, count } = changesBetween(before, after, changeCharacters)
  const places = placesBeside(said, text)
  if (count > 0) return [...places, text]
  const looksOnly = acts.every(({ type }) => type === 'extract' || type === 'wait')
  const focus = after.find(({ hasFocus }) => hasFocus)
  const moved = focus && focus.ref !== before.find(({ hasFocus }) => hasFocus)?.ref
  const place = moved ? ` The focus is on ${focus.text}.` : ''
  return looksOnly ? places : [...places, `Nothing on the page changed.${place}`]
}

/** Where texts stand that were waited for, if the rest does not tell them. */
function placesBeside(said: readonly Said[], rest: string): string[] {
  const isTold = (sought: string) => rest.toLowerCase().includes(sought.toLowerCase())
  return said.flatMap(({ place }) => (place && !isTold(place.sought) ? place.text : []))
}

export type Changes = { text: string; count: number }

/** What of a page became different, at most so many characters: `+` new, `-` gone, `~` another state or name. */
function changesBetween(before: readonly Line[], after: readonly Line[], maxCharacters: number): Changes {
  const beforeByRef = new Map(before.flatMap((line) => (line.ref === undefined ? [] : [[line.ref, line.text]])))
  const afterRefs = new Set(after.flatMap(({ ref }) => ref ?? []))
  const old = counted(before)
  const fresh = after.flatMap((line): string[] => {
    if (taken(old, line.text)) return []
    const was = line.ref === undefined ? undefined : beforeByRef.get(line.ref)
    return [was === undefined ? `+ ${line.text}` : `~ ${line.text}`]
  })
  const left = counted(after)
  const gone = before.flatMap((line) => {
    const stays = taken(left, line.text) || (line.ref !== undefined && afterRefs.has(line.ref))
    return stays ? [] : [`- ${line.text.length > 60 ? `${line.text.slice(0, 59)}…` : line.text}`]
  })
  const all = [...fresh, ...gone]
  return { text: within(all, maxCharacters), count: all.length }
}

function within(lines: readonly string[], most: number): string {
  const all = lines.join('\n')
  if (all.length <= most) return all
  const short = lines.map((line) => (line.length > 120 ? `${line.slice(0, 119)}…` : line))
  let size = 0
  const fits = short.findIndex((line) => (size += line.length + 1) > most - 40)
  const count = fits < 0 ? short.length : fits
  return `${short.slice(0, count).join('\n')}${count < short.length ? `\n… ${short.length - count} more changes` : ''}`
}

function counted(lines: readonly Line[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of lines) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

function taken(counts: Map<string, number>, text: string): boolean {
  const count = counts.get(text) ?? 0
  if (count > 0) counts.set(text, count - 1)
  return count > 0
}
