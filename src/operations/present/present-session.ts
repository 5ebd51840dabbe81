import type { z } from 'zod'
import type { Part, Presentation } from '../../kernel/operation.ts'
import type { CreatedSession, PersonNeeded as Needed, SessionFile } from '../../schema/session-schema.ts'

/** Of a session that a call opened for itself. */
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

/** What code printed may be text of a page, and so may its errors. */
export function presentExecution(execution: Execution, origin: string): Presentation {
  const { stdout, result, stderr, exitCode, killed, error } = execution
  const ending = killed ? 'ended for its time' : `exit code ${exitCode ?? 'none'}`
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

/** A look at a page: its text is the page's, whatever it says. */
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

/** Named, so that the next call can go on in it. */
const openedParts = ({ sessionId }: Opened): Part[] =>
  sessionId === undefined ? [] : [{ kind: 'text', text: `Opened session ${sessionId}.` }]

/** What the next call needs, and the page if it was opened at one. The other URLs of a session are told where it is listed. */
export function presentCreated(
  { id, liveViewUrl, snapshot }: z.output<typeof CreatedSession>,
  { url = '' }: { url?: string | undefined },
): Presentation {
  const told: Part = { kind: 'text', text: JSON.stringify({ id, liveViewUrl }) }
  return {
    parts: snapshot === undefined ? [told] : [told, { kind: 'page', text: snapshot, origin: url, label: 'snapshot' }],
  }
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

export function presentFrame({ base64, mimeType }: { base64: string; mimeType: string }): Presentation {
  return { parts: [{ kind: 'image', base64, mimeType }] }
}

/** Where clients read the file as a resource. */
const fileLink = ({ uri, name, mediaType, size }: z.output<typeof SessionFile>): Part => ({
  kind: 'link',
  uri,
  name,
  mimeType: mediaType,
  size,
})

export function presentFile({ base64, mediaType }: { base64: string; mediaType: string }): Presentation {
  return { parts: [{ kind: 'file', base64, mimeType: mediaType }] }
}

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

/** What code or a prompt did behind a scrape, and where a person may take part. */
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

/** The answer to a prompt may quote pages, and a model wrote it that has read them. */
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
