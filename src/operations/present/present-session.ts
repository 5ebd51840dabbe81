import type { z } from 'zod'
import type { Part, Presentation } from '../../kernel/operation.ts'
import { counted } from '../../util/amounts.ts'
import { minuteOf, ownWords } from './present-lists.ts'
import type {
  CreatedSession,
  ListedSession,
  PersonNeeded as Needed,
  SessionEnded,
  SessionFile,
} from '../../schema/session-schema.ts'

/** The session that a call opened itself. */
type Opened = { sessionId?: string | undefined; expiresAt?: string | undefined }
type Execution = Opened & {
  stdout: string | null
  result: string | null
  stderr: string | null
  exitCode: number | null
  killed: boolean
  error?: string | undefined
}

type PersonNeeded = z.output<typeof Needed>

/** Shows the result of code. Its output and errors are marked, since they may contain text of pages. */
export function presentExecution(execution: Execution, origin: string): Presentation {
  const { stdout, result, stderr, exitCode, killed, error } = execution
  const ending = killed ? 'stopped at its time limit' : `exit code ${exitCode ?? 'none'}`
  const page = (label: string, text: string | null | undefined): Part[] =>
    text ? [{ kind: 'page', text, origin, label }] : []
  const parts = [
    ...page('stdout', stdout),
    ...(result === stdout ? [] : page('result', result)),
    ...page('stderr', stderr),
    ...(error !== undefined && stderr?.includes(error) ? [] : page('error', error)),
  ]
  const opened = openedParts(execution)
  if (parts.length > 0 && exitCode === 0) return { parts: [...opened, ...parts] }
  return {
    ...(exitCode !== 0 && { isFailure: true }),
    parts: [
      ...opened,
      { kind: 'text', text: `The code ${exitCode === 0 ? 'ran and printed nothing' : 'failed'}: ${ending}.` },
      ...parts,
    ],
  }
}

/** Shows a snapshot, marked as page text. */
export function presentSnapshot({
  snapshot,
  url,
  screenshot,
}: {
  snapshot: string
  url: string
  screenshot?: string | undefined
}): Presentation {
  return { parts: [{ kind: 'page', text: snapshot, origin: url, label: 'snapshot' }, ...pictureOf(screenshot)] }
}

type Acted = Opened & {
  text: string
  url: string
  ok: boolean
  screenshots?: string[] | undefined
  files?: z.output<typeof SessionFile>[] | undefined
  needsPerson?: PersonNeeded | undefined
}

export function presentActs(acted: Acted): Presentation {
  const { text, url, ok, needsPerson, screenshots = [], files = [], ...opened } = acted
  const page: Part[] = text === '' ? [] : [{ kind: 'page', text, origin: url, label: ok ? 'done' : 'not all done' }]
  const own = needsPerson ? personLine(needsPerson) : page.length > 0 ? '' : ok ? 'Done.' : 'Not done.'
  return {
    parts: [
      ...openedParts(opened),
      ...(own === '' ? [] : [{ kind: 'text' as const, text: own }]),
      ...page,
      ...screenshots.flatMap(pictureOf),
      ...files.map(fileLink),
    ],
    ...(!ok && !needsPerson && { isFailure: true }),
  }
}

/** The id lets the next call continue in the session. */
const openedParts = ({ sessionId }: Opened): Part[] =>
  sessionId === undefined ? [] : [{ kind: 'text', text: `Opened session ${sessionId}.` }]

/** Shows the id and live view of a new session, and its page if one was opened. */
export function presentCreated(
  { id, liveViewUrl, snapshot }: z.output<typeof CreatedSession>,
  { url = '' }: { url?: string | undefined },
): Presentation {
  const ids: Part = { kind: 'text', text: JSON.stringify({ sessionId: id, liveViewUrl }) }
  return {
    parts: snapshot === undefined ? [ids] : [ids, { kind: 'page', text: snapshot, origin: url, label: 'snapshot' }],
  }
}

export const presentEnded = ({ sessionDurationMs, creditsBilled }: z.output<typeof SessionEnded>): Presentation => ({
  parts: [ownWords(`Closed after ${Math.round(sessionDurationMs / 1000)} s, at ${counted(creditsBilled, 'credit')}.`)],
})

/** One sentence per session, with the secret URLs that only its team may see. */
export const presentSessions = ({ sessions }: { sessions: readonly ListedSession[] }): Presentation => ({
  parts: [ownWords(...(sessions.length === 0 ? ['No browser is open.'] : sessions.map(sessionLine)))],
})

function sessionLine({ id, status, createdAt, expiresAt, ...urls }: ListedSession): string {
  const { interactiveLiveViewUrl: person = urls.liveViewUrl, cdpUrl } = urls
  return [
    `Session ${id}: opened at ${minuteOf(createdAt)} UTC,`,
    status === 'active' ? `open until ${minuteOf(expiresAt)} UTC at most.` : 'closed.',
    ...(person === undefined ? [] : [`People can take part at ${person}`]),
    ...(cdpUrl === undefined ? [] : [`CDP: ${cdpUrl}`]),
  ].join(' ')
}

function personLine({ reason, outcome, message, url }: PersonNeeded): string {
  if (reason === 'login')
    return `${message} Fill it in if you have the credentials.${url === undefined ? '' : ` Otherwise a person can log in at ${url}`}`
  if (outcome === 'done') return `The user says this is done: ${message}`
  if (outcome === 'declined') return `The user was asked and declined: ${message}`
  const place =
    url === undefined ? 'This session has no live view where a person could do it.' : `A person can do it here: ${url}`
  return `${message} ${place} Then call again.`
}

/** Link to a downloaded file, for clients that read files as resources. */
const fileLink = ({ uri, name, mediaType, size }: z.output<typeof SessionFile>): Part => ({
  kind: 'link',
  uri,
  name,
  mimeType: mediaType,
  size,
})

function pictureOf(dataUrl: string | undefined): Part[] {
  const [head, mimeType] = /^data:([\w/]+);base64,/.exec(dataUrl ?? '') ?? []
  if (dataUrl === undefined || head === undefined || mimeType === undefined) return []
  return [{ kind: 'image', base64: dataUrl.slice(head.length), mimeType }]
}

type Interaction = Execution & {
  output?: string | undefined
  needsPerson?: PersonNeeded | undefined
  interactiveLiveViewUrl?: string | undefined
}

/** Shows the result of code or a prompt run on the page of a scrape, with the live view URL for people. */
export function presentInteraction(interaction: Interaction, scrapeId: string): Presentation {
  const { output, interactiveLiveViewUrl: url } = interaction
  const origin = `the page of scrape ${scrapeId}`
  const { parts, ...rest } =
    output === undefined ? presentExecution(interaction, origin) : presentPrompted({ ...interaction, output }, origin)
  return {
    parts: [...parts, ...(url ? [{ kind: 'text' as const, text: `A person can take part at ${url}` }] : [])],
    ...rest,
  }
}

/** Shows the answer to a prompt, marked because it was written by a model that read pages, and may quote them. */
function presentPrompted(
  { output, result, error, needsPerson }: Interaction & { output: string },
  origin: string,
): Pick<Presentation, 'parts'> {
  const page = (label: string, text: string | null): Part[] => (text ? [{ kind: 'page', text, origin, label }] : [])
  const own = [error, needsPerson && personLine(needsPerson)].filter(Boolean).join(' ')
  return {
    parts: [
      ...(own === '' ? [] : [{ kind: 'text' as const, text: own }]),
      ...page('answer', output),
      ...page('the page at the end', result),
    ],
  }
}
