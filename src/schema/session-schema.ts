import { z } from 'zod'
import { callLabels, BrowserUrl, words } from './common-fields.ts'

export const PageUrl = BrowserUrl.optional().describe('Page to open first.')
const closes = 'false closes the browser after this call.'
export const keep = z.boolean().optional().describe(closes)
/** Fields of calls that open a new session. */
export const ofNewSession = {
  keep: z.boolean().default(true).describe(closes),
  output: {
    sessionId: z.string().optional().describe('Id of the session, if it stays open.'),
    expiresAt: z.iso.datetime().optional().describe('When the session ends by itself.'),
  },
}

const languages = ['node', 'python', 'bash'] as const

/** Code fields shared by browser_execute and interact. */
export const codeFields = {
  language: z.enum(languages).default('node').describe('bash: agent-browser commands instead of code.'),
  timeout: z.int().min(1).max(300).default(30).describe('Stop the code after this many seconds.'),
}
export const Code = words(100_000).describe('Code to run; print, or end with an expression.')

export const CreateInput = z.object({
  url: PageUrl,
  ttl: z.int().min(30).max(3600).default(600).describe('Maximum lifetime in seconds.'),
  activityTtl: z.int().min(10).max(3600).default(300).describe('Close it after this many seconds without a call.'),
  streamWebView: z.boolean().default(true).describe('Let people watch in a live view. Default true.'),
  headless: z.boolean().optional().describe('false shows a window on the machine of Gossamer.'),
  profile: z
    .object({
      name: words(128).describe('Name of the profile.'),
      saveChanges: z.boolean().default(true).describe('Save cookies and logins when it closes.'),
    })
    .optional()
    .describe('Cookies and logins stored under a name.'),
  ...callLabels,
})
export type CreateInput = z.output<typeof CreateInput>

const addresses = {
  cdpUrl: z.string().optional().describe('Secret WebSocket URL for CDP clients: Playwright, Puppeteer, agent-browser.'),
  liveViewUrl: z.string().optional().describe('Secret URL of the page where people can watch.'),
  interactiveLiveViewUrl: z
    .string()
    .optional()
    .describe('Secret URL of the page where people can watch and take control.'),
}

export const SessionFile = z.object({
  id: z.string(),
  uri: z.string(),
  name: z.string(),
  mediaType: z.string(),
  size: z.int(),
})

export const CreatedSession = z.object({
  id: z.string(),
  ...addresses,
  expiresAt: z.iso.datetime(),
  snapshot: z.string().optional().describe('The page at url, as browser_snapshot shows it.'),
  warning: z.string().optional(),
})
export type CreatedSession = z.output<typeof CreatedSession>

const listed = {
  id: z.string(),
  status: z.enum(['active', 'destroyed']),
  ...addresses,
  streamWebView: z.boolean(),
  createdAt: z.iso.datetime(),
  lastActivity: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
}
export const ListedSession = z.object(listed)
export type ListedSession = z.output<typeof ListedSession>

export const SessionWithTabs = z.object({
  ...listed,
  tabs: z.array(z.object({ id: z.string(), url: z.string(), title: z.string(), isCurrent: z.boolean() })),
  doing: z.string().optional().describe('Current act in the session.'),
})
export type SessionWithTabs = z.output<typeof SessionWithTabs>

export const ExecuteResult = z.object({
  stdout: z.string().nullable(),
  result: z.string().nullable(),
  stderr: z.string().nullable(),
  exitCode: z.int().nullable().describe('0 = success.'),
  killed: z.boolean().describe('True if the code was stopped at its timeout.'),
  error: z.string().optional().describe('Why the code failed. The call itself still succeeds.'),
})

export const SessionEnded = z.object({
  sessionDurationMs: z.number(),
  creditsBilled: z.number().describe('2 credits a minute, billed by the second.'),
})

export const PersonNeeded = z
  .object({
    reason: z.enum(['asked', 'captcha', 'login']),
    outcome: z.enum(['done', 'declined', 'waiting']),
    message: z.string(),
    url: z.string().optional().describe('URL of the live view in which a person can do it.'),
  })
  .describe('Something only a person can do.')

export const ScrapeId = z.uuid().toLowerCase().describe('The scrapeId returned by scrape.')

export const InteractInput = z
  .object({
    jobId: ScrapeId,
    code: Code.optional().describe('Code to run. Give either code or prompt.'),
    prompt: z
      .string()
      .min(1)
      .max(10_000)
      .optional()
      .describe('Task for the language model of the server; without one, plain commands: click X, then type Y into Z.'),
    ...codeFields,
    origin: callLabels.origin,
  })
  .superRefine(({ code, prompt }, check) => {
    if ((code === undefined) === (prompt === undefined))
      check.addIssue({ code: 'custom', path: ['code'], message: 'Give exactly one of code and prompt.' })
  })
