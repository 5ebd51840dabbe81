import type { SessionAction, ActionsResult } from '../../../../contracts/render-port.ts'
import { sanitiseLine, sanitiseText } from '../../../../util/sanitise-text.ts'
import type { Download, KeptFile } from '../../session-downloads.ts'
import type { Outline, PageNode } from '../../../page-script/snapshot/page-outline.ts'
import { fitSnapshot } from './fit.ts'
import { type Line, partsOf } from './snapshot-lines.ts'
import type { Dialogs, LiveTab, OpenDialog, PastDialog } from '../live-tab.ts'
import { rememberedOf } from '../snapshot.ts'
import type { TabInfo, TabEvents } from '../tabs.ts'
import { type ActionOutcome, readOnlyActs } from './remarks.ts'
import { openDialogText } from '../blocked.ts'

type States = { before: readonly Line[]; after: readonly Line[] }
/** `isMost`: more than half of the current lines are new. */
type Changes = { text: string; count: number; isCut: boolean; isMost: boolean }

/** Returns up to `max` characters of changes: `+` new, `-` removed, `~` changed. Reported texts are only counted. */
function changesBetween(
  { before, after }: States,
  { max, reported }: { max: number; reported: AlreadyReported },
): Changes {
  const beforeByRef = new Map(before.flatMap((line) => (line.ref === undefined ? [] : [[line.ref, line.text]])))
  const afterRefs = new Set(after.flatMap(({ ref }) => ref ?? []))
  const old = countTexts(before)
  const fresh = after.filter((line) => !takeOne(old, line.text))
  const unreported = fresh.filter((line) => line.ref !== undefined || !reported.has(line.text))
  const left = countTexts(after)
  const gone = before.flatMap((line) => {
    const stays = takeOne(left, line.text) || (line.ref !== undefined && afterRefs.has(line.ref))
    return stays ? [] : [`- ${line.text.length > 60 ? `${line.text.slice(0, 59)}…` : line.text}`]
  })
  const isKnown = ({ ref }: Line) => ref !== undefined && beforeByRef.has(ref)
  const all = [...unreported.map((line) => `${isKnown(line) ? '~' : '+'} ${line.text}`), ...gone]
  const text = shortenTo(all, max)
  const isCut = all.join('\n').length > text.length
  return { text, count: fresh.length + gone.length, isCut, isMost: fresh.length > after.length / 2 }
}

function shortenTo(lines: readonly string[], max: number): string {
  const all = lines.join('\n')
  if (all.length <= max) return all
  const short = lines.map((line) => (line.length > 120 ? `${line.slice(0, 119)}…` : line))
  let size = 0
  const fits = short.findIndex((line) => (size += line.length + 1) > max - 40)
  const count = fits < 0 ? short.length : fits
  return `${short.slice(0, count).join('\n')}${count < short.length ? `\n… ${short.length - count} more changes` : ''}`
}

function countTexts(lines: readonly Line[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { text } of lines) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

function takeOne(counts: Map<string, number>, text: string): boolean {
  const count = counts.get(text) ?? 0
  if (count > 0) counts.set(text, count - 1)
  return count > 0
}

export type ActionLog = {
  acts: readonly SessionAction[]
  outcomes: ActionOutcome[]
  failure?: string
  events: TabEvents
  start: LiveTab
  before: { documentId: string; lines: readonly Line[] } | undefined
}
type LastLook = { value: Outline | undefined } | { dialog: OpenDialog } | { failure: string }
type FinishedLog = ActionLog & { looked: LastLook; now: LiveTab; tabs: readonly TabInfo[] }

const changeCharacters = 1500
const pageCharacters = 2500
/** Limit for a page that was extracted in the same call. */
const briefCharacters = 800
/** Limit for a page next to the awaited text. */
const besidePlaceCharacters = 400
const maxErrors = 3
const maxUrl = 300

/** Returns the remarks of actions, then the changes of the page, or a snapshot of a new page. */
export function resultOf(log: FinishedLog): ActionsResult {
  const { acts, outcomes, failure, looked, now } = log
  const extracted = outcomes.flatMap((each) => (each.extracted === undefined ? [] : sanitiseText(each.extracted)))
  const pictures = outcomes.flatMap(({ picture }) => picture ?? [])
  const files = [...log.events.downloads, ...outcomes].flatMap((each) =>
    'file' in each && each.file ? fileOf(each.file) : [],
  )
  const outline = 'value' in looked ? looked.value : undefined
  const lines = [...actLines(log), ...besideLines(log), ...extracted, ...pageLines(log, outline)]
  return {
    ok: failure === undefined && outcomes.length === acts.length,
    done: Math.max(0, outcomes.length - uncounted(acts)),
    url: outline?.url ?? now.traffic.requestedUrl() ?? now.traffic.document()?.url ?? '',
    title: outline?.title ?? '',
    text: sanitiseText(lines.filter((line) => line !== '').join('\n')),
    extracted,
    ...(pictures.length > 0 && { screenshots: pictures }),
    ...(files.length > 0 && { files }),
  }
}

const fileOf = ({ id, name, mediaType, bytes }: KeptFile) => ({ id, name, mediaType, size: bytes.length })

function actLines({ acts, outcomes, failure }: FinishedLog): string[] {
  const all = outcomes.flatMap(({ remark }, at) => (remark ? [`${nameOf(acts[at])}: ${remark}`] : []))
  const remarks = all.filter((each, at) => each !== all[at + 1])
  const left = acts.length - outcomes.length
  const [done, count] = [outcomes.length - uncounted(acts), acts.length - uncounted(acts)]
  if (failure !== undefined) {
    const rest = left > 1 ? ` The ${left - 1} after it were not done.` : ''
    const what = done < 0 ? 'Opening url' : `Act ${done + 1} of ${count}`
    return [...remarks, `${what} failed (${nameOf(acts[outcomes.length])}): ${failure}${rest}`]
  }
  if (left > 0) return [...remarks, `Done: ${done} of ${count} acts.`]
  return remarks
}

/** Returns 1 if the first act opens the `url` of the call, which the caller does not count as an act; otherwise 0. */
const uncounted = ([first]: readonly SessionAction[]): number => (first && 'isFirst' in first ? 1 : 0)

function nameOf(each: SessionAction | undefined): string {
  const target = each && 'target' in each ? ` ${each.target ?? ''}` : ''
  return `${each?.type}${target}`.trim()
}

function besideLines({ events, now, start, tabs, looked }: FinishedLog): string[] {
  const errors = [...new Set([...start.takeConsoleErrors(), ...(now === start ? [] : now.takeConsoleErrors())])]
  return [
    ...('dialog' in looked ? [openDialogText(looked.dialog)] : []),
    ...('failure' in looked ? [looked.failure] : []),
    ...pastLines(start.dialogs.past()),
    ...openedLine(events.opened, tabs),
    ...events.closed.map((id) => `Tab ${id} was closed.`),
    ...events.downloads.map(downloadLine),
    ...errors.slice(0, maxErrors).map((text) => `Console error: ${text}`),
  ]
}

function downloadLine(download: Download): string {
  const name = sanitiseLine(download.name).slice(0, 100)
  if (!('file' in download)) return `Download: ${name}. Not kept: ${download.why}.`
  const { id, mediaType, bytes } = download.file
  const { url = '' } = download
  const how = /^https?:/.test(url) && url.length <= maxUrl ? ` scrape reads it: ${url}` : ''
  return `Download: ${name}, kept as file ${id} of this session (${mediaType}, ${bytes.length} bytes).${how}`
}

function openedLine(opened: readonly string[], tabs: readonly TabInfo[]): string[] {
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
  const text = answer.text === undefined ? '' : ` with "${sanitiseLine(answer.text)}"`
  return `Dialog ${kind} "${message}" was ${answer.accept ? 'accepted' : 'dismissed'}${text}.`
}

function pageLines(log: FinishedLog, outline: Outline | undefined): string[] {
  if (!outline) return []
  const { before, now } = log
  const after = rememberedOf(outline)
  now.memory.last = after
  if (before?.documentId !== after.documentId) return newPage(log, outline)
  return changes(log, outline, { after: after.lines, before: before.lines })
}

type AlreadyReported = { has(text: string): boolean; isEmpty: boolean }

/** Removes texts that are already reported. Controls stay, because the model needs their state. */
function withoutReported(nodes: readonly PageNode[], reported: AlreadyReported): PageNode[] {
  return reported.isEmpty ? [...nodes] : nodes.flatMap((node) => unreportedOf(node, reported))
}

function unreportedOf(node: PageNode, reported: AlreadyReported): PageNode[] {
  if (isTextOnly(node)) {
    const texts = textsIn(node)
    return texts.length > 0 && texts.every((text) => reported.has(text)) ? [] : [node]
  }
  if (!node.children) return [node]
  const children = withoutReported(node.children, reported)
  const left = node.children.length - children.length
  if (left === 0) return [{ ...node, children }]
  return [{ ...node, children, note: [node.note, 'omitting what is quoted above'].filter(Boolean).join(', ') }]
}

const textRoles = /^(?:text|h\d|row|head|listitem|code)$/

const isTextOnly = (node: PageNode): boolean =>
  textRoles.test(node.role) && node.ref === undefined && partsOf(node).every((part) => isTextOnly(part))

const textsIn = (node: PageNode): string[] => [
  ...(node.name === undefined ? [] : [node.name]),
  ...(node.parts ?? []).flatMap((part) => (typeof part === 'string' ? part : textsIn(part))),
  ...[...(node.children ?? []), ...(node.cells ?? []).flat()].flatMap((part) => textsIn(part)),
]

/** Minimum length of a text that counts as reported; shorter texts match by coincidence. */
const minText = 3

function createReported(texts: readonly string[]): AlreadyReported {
  // Unescapes quotes, because extracted rows are JSON.
  const all = texts.map((text) => plain(text.replaceAll('\\"', '"'))).join('\n')
  return {
    isEmpty: all.trim() === '',
    has: (text) => plain(text).length >= minText && all.includes(plain(text)),
  }
}

const plain = (text: string) =>
  text
    .replace(/[\s|]+/g, ' ')
    .trim()
    .toLowerCase()

/** Returns the snapshot of a new page without texts that the answer already contains. */
function newPage({ outcomes, start, now }: FinishedLog, outline: Outline): string[] {
  const known = now.memory.frames ?? start.memory.frames ?? []
  const extracted = extractedIn(outcomes)
  const rest = { ...outline, nodes: withoutReported(outline.nodes, createReported(extracted)) }
  const fitted = (max: number) => fitSnapshot(rest, {}, max, known)
  const whole = fitted(extracted.length > 0 ? briefCharacters : pageCharacters)
  const places = placesBeside(outcomes, whole.body)
  const page = places.length > 0 ? fitted(besidePlaceCharacters) : whole
  now.memory.frames = page.frames
  return [...places, page.text]
}

const extractedIn = (outcomes: readonly ActionOutcome[]): string[] =>
  outcomes.flatMap(({ extracted }) => extracted ?? [])

/** Lists the changes, or returns the whole page if most of it changed and the changes do not fit. */
function changes(log: FinishedLog, outline: Outline, { before, after }: States): string[] {
  const { acts, outcomes } = log
  const reported = createReported(extractedIn(outcomes))
  const { text, count, isCut, isMost } = changesBetween({ before, after }, { max: changeCharacters, reported })
  if (isCut && isMost) return newPage(log, outline)
  const places = placesBeside(outcomes, text)
  const moves = outline.moved.length > 0 ? [`Moved: ${outline.moved.join('; ')}.`] : []
  if (count > 0) return [...places, text, ...(acts.some(({ type }) => type === 'drag') ? moves : [])]
  if (moves.length > 0) return [...places, ...moves]
  const isReadOnly = acts.every(({ type }) => readOnlyActs.has(type))
  const focus = after.find(({ hasFocus }) => hasFocus)
  const moved = focus && focus.ref !== before.find(({ hasFocus }) => hasFocus)?.ref
  const place = moved ? ` The focus is on ${focus.text}.` : ''
  return isReadOnly || outcomes.some(({ hasEffect }) => hasEffect)
    ? places
    : [...places, `Nothing on the page changed.${place}`]
}

/** Returns the lines around awaited texts that the rest of the result does not contain. */
function placesBeside(outcomes: readonly ActionOutcome[], rest: string): string[] {
  const isReported = (sought: string) => rest.toLowerCase().includes(sought.toLowerCase())
  return outcomes.flatMap(({ place }) => (place && !isReported(place.sought) ? place.text : []))
}
