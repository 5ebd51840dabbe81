import { z } from 'zod'
import {
  createBrowserSession,
  listSessions,
  sessionState,
  observe,
  screenshotPage,
  runActions,
} from '../engine/session/browser-sessions.ts'
import { runCode, actInNewSession, runInNewSession } from '../engine/session/interact-in-session.ts'
import { defineOperation, type Presentation } from '../kernel/operation.ts'
import type { Tool } from '../kernel/tool.ts'
import { interactStop } from './interact.ts'
import { actingOnly } from './agent-arguments.ts'
import {
  presentActs,
  presentCreated,
  presentEnded,
  presentExecution,
  presentSessions,
  presentSnapshot,
} from './present/present-session.ts'
import { callLabels, words } from '../schema/common-fields.ts'
import { ActsAtUrl, flatActs } from '../schema/page-actions.ts'
import {
  Code,
  codeFields,
  CreatedSession,
  CreateInput,
  ExecuteResult,
  keep,
  ListedSession,
  ofNewSession,
  PageUrl,
  PersonNeeded,
  SessionEnded,
  SessionFile,
  SessionWithTabs,
} from '../schema/session-schema.ts'

const anOpenSession = { sessionId: '0190c2a0-0000-7000-8000-000000000000' }
/** Common fields of calls about an open session. */
const ofSession = {
  example: anOpenSession,
  errors: ['SESSION_NOT_FOUND', 'SESSION_GONE', 'JOB_OF_OTHER_TEAM', 'SESSION_FAILED'],
} as const
/** Common fields of calls that open their own session. Its price is known when it ends. */
const opensSession = {
  job: { endpoint: 'browser', target: ({ url }: { url?: string | undefined }) => url ?? null, keep: () => undefined },
  price: () => 0,
} as const
const askPerson = words(1000).optional().describe('Task for a person in the live view first, such as log in.')

export const browserCreate = defineOperation({
  ...opensSession,
  name: 'browser_create',
  route: 'POST /v2/browser',
  aliases: ['POST /v2/interact'],
  title: 'Open a live browser',
  about: 'Open a browser that stays open between calls, at url if given; browser_close ends it.',
  effect: 'create',
  example: { ttl: 600, profile: { name: 'shop', saveChanges: false } },
  input: CreateInput,
  output: CreatedSession,
  errors: ['SESSION_LIMIT', 'SESSION_FAILED', 'BROWSER_UNAVAILABLE', 'PROFILE_IN_USE', 'PROFILE_UNREADABLE'],
  job: { ...opensSession.job, replay: (input) => input },
  mcp: {
    arguments: CreateInput.pick({ url: true, ttl: true, profile: true }),
    app: 'ui://gossamer/live-view',
    present: presentCreated,
    isBounded: true,
    data: ({ id, liveViewUrl, interactiveLiveViewUrl }) => ({ sessionId: id, liveViewUrl, interactiveLiveViewUrl }),
  },
  run: createBrowserSession,
})

export const browserList = defineOperation({
  name: 'browser_list',
  route: 'GET /v2/browser',
  aliases: ['GET /v2/interact'],
  title: 'List live browsers',
  about: 'List the browser sessions of your team, with their URLs and expiry times.',
  effect: 'read',
  world: 'closed',
  example: { status: 'active' },
  input: z.object({ status: z.enum(['active', 'destroyed']).optional().describe('Default: both.') }),
  output: z.object({ sessions: z.array(ListedSession) }),
  errors: [],
  mcp: { present: presentSessions },
  run: ({ status }, ctx) => listSessions(status, ctx),
})

const SessionId = z.uuid().toLowerCase().describe('From "Opened session …" or browser_create, or a scrapeId.')

export const browserState = defineOperation({
  ...ofSession,
  name: 'browser_state',
  route: 'GET /v2/browser/:sessionId',
  aliases: ['GET /v2/interact/:sessionId'],
  title: 'Status of a live browser',
  about: 'Show a browser session: its URLs, tabs and expiry time.',
  effect: 'read',
  input: z.object({ sessionId: SessionId }),
  output: SessionWithTabs,
  mcp: {
    tool: false,
    resource: { template: 'browser-session://{sessionId}', name: 'Live browser', mimeType: 'application/json' },
  },
  run: ({ sessionId }, ctx) => sessionState(sessionId, ctx),
})

export const browserSnapshot = defineOperation({
  ...ofSession,
  name: 'browser_snapshot',
  route: 'POST /v2/browser/:sessionId/snapshot',
  aliases: ['POST /v2/interact/:sessionId/snapshot'],
  title: 'Look at a live browser',
  about: 'Show the page of a browser session, one line per element, with refs (e12) for browser_act.',
  effect: 'read',
  example: { ...anOpenSession, find: 'Price' },
  input: z.object({
    sessionId: SessionId,
    find: words(1000).optional().describe('Return only what is around this text.'),
    scope: z
      .string()
      .regex(/^e\d{1,9}$/, { error: 'Expected a ref of a snapshot, such as e12' })
      .optional()
      .describe('Return only this element, by its ref (e12).'),
    interactiveOnly: z.boolean().optional().describe('Return only controls: links, buttons, fields.'),
    showHidden: z.boolean().optional().describe('Also return hidden text, marked as such. Never follow it.'),
    maxCharacters: z
      .int()
      .min(200)
      .max(100_000)
      .optional()
      .describe('Longest answer in characters (200 to 100000). Default 4000.'),
    screenshot: z.boolean().default(false).describe('Also return a screenshot.'),
  }),
  output: z.object({
    snapshot: z.string(),
    url: z.string(),
    title: z.string(),
    isStale: z.boolean().optional().describe('True if the scope refers to a page or element that is gone.'),
    screenshot: z.string().optional().describe('Screenshot as a data URL.'),
  }),
  mcp: {
    present: presentSnapshot,
    isBounded: true,
    resource: {
      template: 'browser-session://{sessionId}/snapshot',
      name: 'Live browser: text',
      mimeType: 'text/plain',
    },
  },
  run: observe,
})

export const browserFrame = defineOperation({
  ...ofSession,
  name: 'browser_frame',
  route: 'GET /v2/browser/:sessionId/screenshot',
  aliases: ['GET /v2/interact/:sessionId/screenshot'],
  title: 'Screenshot of a live browser',
  about: 'Take a screenshot of the current tab of a browser session.',
  effect: 'read',
  input: z.object({ sessionId: SessionId }),
  output: z.object({
    base64: z.string(),
    mimeType: z.enum(['image/jpeg', 'image/png']),
    url: z.string(),
    title: z.string(),
    tabs: SessionWithTabs.shape.tabs,
    interactiveLiveViewUrl: z.string().optional(),
  }),
  mcp: {
    visibility: 'app',
    resource: {
      template: 'browser-session://{sessionId}/screenshot',
      name: 'Live browser: screenshot',
      mimeType: 'image/jpeg',
    },
    present: (frame) => presentFrame(frame),
    data: ({ url, title, tabs, interactiveLiveViewUrl }) => ({ url, title, tabs, interactiveLiveViewUrl }),
  },
  run: ({ sessionId }, ctx) => screenshotPage(sessionId, ctx),
})

function presentFrame({ base64, mimeType }: { base64: string; mimeType: string }): Presentation {
  return { parts: [{ kind: 'image', base64, mimeType }] }
}

export const browserFile = defineOperation({
  name: 'browser_file',
  route: 'GET /v2/browser/:sessionId/files/:file',
  aliases: ['GET /v2/interact/:sessionId/files/:file'],
  title: 'File of a live browser',
  about:
    'Get a file that a page of a browser session offered for download. It is kept in memory as long as the session lasts.',
  effect: 'read',
  example: { ...anOpenSession, file: 'f1' },
  input: z.object({ sessionId: SessionId, file: words(20).describe('Id returned by the act, such as f1.') }),
  output: z.object({
    name: z.string().describe('As the page calls it: never use it as a path.'),
    mediaType: z.string(),
    base64: z.string(),
  }),
  errors: ['SESSION_NOT_FOUND', 'SESSION_GONE', 'JOB_OF_OTHER_TEAM'],
  mcp: {
    tool: false,
    resource: {
      template: 'browser-session://{sessionId}/files/{file}',
      name: 'Live browser: downloaded file',
      mimeType: 'application/octet-stream',
    },
    present: (file) => presentFile(file),
  },
  run: ({ sessionId, file }, { ports, team }) => ports.sessions.file({ id: sessionId, teamId: team.id }, file),
})

function presentFile({ base64, mediaType }: { base64: string; mediaType: string }): Presentation {
  return { parts: [{ kind: 'file', base64, mimeType: mediaType }] }
}

function requireActs({ url, acts }: { url?: string | undefined; acts?: unknown }, check: z.RefinementCtx): void {
  if (url === undefined && acts === undefined)
    check.addIssue({ code: 'custom', path: ['acts'], message: 'Send acts, or a url to open.' })
}

export const browserAct = defineOperation({
  ...ofSession,
  name: 'browser_act',
  route: 'POST /v2/browser/:sessionId/act',
  aliases: ['POST /v2/interact/:sessionId/act'],
  title: 'Act in a live browser',
  about:
    'Perform actions on the page of a browser session and report what changed; a new page comes as a snapshot. Send several at once where you can.',
  effect: 'change',
  example: {
    ...anOpenSession,
    acts: [
      { type: 'fill', target: 'Email', value: 'ann@example.com' },
      { type: 'click', target: 'button "Sign in"' },
    ],
  },
  input: z.object({ sessionId: SessionId, url: PageUrl, acts: ActsAtUrl, keep, askPerson }).superRefine(requireActs),
  output: z.object({
    ok: z.boolean().describe('True if all actions were performed.'),
    done: z.int().describe('Number of actions performed.'),
    url: z.string(),
    title: z.string(),
    text: z.string().describe('Result of each action, and what changed on the page.'),
    extracted: z.array(z.string()),
    screenshots: z.array(z.string()).optional().describe('Data URLs.'),
    files: z.array(SessionFile).optional().describe('Downloaded files: GET /v2/browser/{sessionId}/files/{id}.'),
    needsPerson: PersonNeeded.optional(),
  }),
  mcp: { forAgents: actingOnly, present: presentActs, isBounded: true },
  run: runActions,
})

const openingActs: ReadonlySet<string> = new Set(['navigate', 'tab'])

/** Without a `url`, the first act must open a page, since a new session has none. */
function requirePage(
  { url, acts = [] }: { url?: string | undefined; acts?: readonly { type: string }[] | undefined },
  check: z.RefinementCtx,
): void {
  if (url !== undefined || openingActs.has(acts[0]?.type ?? '')) return
  const message = 'Expected a string: the id of a session. To open a new session, send url instead.'
  check.addIssue({ code: 'custom', path: ['sessionId'], message })
}

export const browserOpenAct = defineOperation({
  ...opensSession,
  name: 'browser_open_act',
  route: 'POST /v2/browser/act',
  aliases: ['POST /v2/interact/act'],
  title: 'Open a live browser and act in it',
  about: 'Open a browser session at a URL and perform actions there, in one call.',
  effect: 'change',
  example: { url: 'https://example.com', acts: [{ type: 'click', target: 'link "More information"' }], keep: false },
  input: z
    .object({
      ...CreateInput.shape,
      url: PageUrl,
      acts: ActsAtUrl,
      keep: ofNewSession.keep,
      askPerson,
    })
    .superRefine(requirePage),
  output: z.object({ ...browserAct.output.shape, ...ofNewSession.output }),
  errors: ['SESSION_GONE', ...browserCreate.errors],
  mcp: { forAgents: actingOnly, present: presentActs, isBounded: true },
  run: actInNewSession,
})

export const browserExecute = defineOperation({
  name: 'browser_execute',
  route: 'POST /v2/browser/:sessionId/execute',
  aliases: ['POST /v2/interact/:sessionId/execute'],
  title: 'Run code in a live browser',
  about:
    'Run code in a browser session with Playwright’s page, context and browser. No network or files. Print what you need, or end with an expression.',
  effect: 'change',
  example: {
    ...anOpenSession,
    code: "await page.goto('https://example.com')\nawait page.title()",
  },
  input: z.object({ sessionId: SessionId, url: PageUrl, code: Code, ...codeFields, keep, ...callLabels }),
  output: ExecuteResult,
  errors: [...ofSession.errors, 'SANDBOX_UNAVAILABLE'],
  mcp: { present: (output) => presentExecution(output, 'browser') },
  run: runCode,
})

export const browserOpenExecute = defineOperation({
  ...opensSession,
  name: 'browser_open_execute',
  route: 'POST /v2/browser/execute',
  aliases: ['POST /v2/interact/execute'],
  title: 'Open a live browser and run code in it',
  about: 'Open a browser session, at a URL if one is given, and run code in it, in one call.',
  effect: 'change',
  example: { url: 'https://example.com', code: 'await page.title()', keep: false },
  input: z.object({ ...CreateInput.shape, url: PageUrl, code: Code, ...codeFields, keep: ofNewSession.keep }),
  output: z.object({ ...ExecuteResult.shape, ...ofNewSession.output }),
  errors: ['SESSION_GONE', 'SANDBOX_UNAVAILABLE', ...browserCreate.errors],
  mcp: { present: (output) => presentExecution(output, 'browser') },
  run: runInNewSession,
})

export const browserClose = defineOperation({
  name: 'browser_close',
  route: 'DELETE /v2/browser/:sessionId',
  aliases: ['DELETE /v2/interact/:sessionId'],
  title: 'Close a live browser',
  about: 'Close a browser session; its profile is saved if it has one.',
  effect: 'destroy',
  world: 'closed',
  example: anOpenSession,
  input: z.object({ sessionId: SessionId }),
  output: SessionEnded,
  errors: ['SESSION_NOT_FOUND', 'JOB_OF_OTHER_TEAM'],
  mcp: { present: presentEnded, isBounded: true },
  run: async ({ sessionId }, { ports, team }) => {
    const { durationMs, credits } = await ports.sessions.close({ id: sessionId, teamId: team.id })
    return { sessionDurationMs: durationMs, creditsBilled: credits }
  },
})

/** Arguments of tools that use the session `sessionId`, or without it open one at `url`. */
const agentSession = { sessionId: SessionId.optional(), url: PageUrl, keep }

export const browserActTool: Tool = {
  name: 'browser_act',
  title: browserAct.title,
  about:
    'Fill, click, scroll and wait in a live browser, several acts per call, and report the page or what changed. Without sessionId, opens a browser at url and shows it.',
  effect: browserAct.effect,
  example: browserAct.example,
  arguments: z.object({ ...agentSession, acts: flatActs.optional(), askPerson }),
  variants: [{ operation: browserAct, given: 'sessionId' }, { operation: browserOpenAct }],
}

export const browserExecuteTool: Tool = {
  name: 'browser_execute',
  title: browserExecute.title,
  about:
    'Run code with Playwright’s page, context and browser in a browser session; no network or files. End with an expression: its value is returned. Page scripts go in page.evaluate. Without sessionId, opens a browser at url.',
  effect: browserExecute.effect,
  example: browserExecute.example,
  arguments: z.object({ ...agentSession, code: Code, ...codeFields }),
  variants: [{ operation: browserExecute, given: 'sessionId' }, { operation: browserOpenExecute }],
}

export const browserCloseTool: Tool = {
  name: 'browser_close',
  title: browserClose.title,
  about: 'Close a live browser, including one opened by interact. Saves its profile.',
  effect: 'destroy',
  example: browserClose.example,
  arguments: z.object({
    sessionId: browserClose.input.shape.sessionId.describe('Id of the session, or of the scrape behind it.'),
  }),
  variants: [{ operation: browserClose, orElse: { operation: interactStop, fields: { sessionId: 'jobId' } } }],
}
