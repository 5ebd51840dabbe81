import { z } from 'zod'

export const SessionId = z.uuid().toLowerCase().describe('Id of browser_create, or the scrapeId of interact.')
const languages = ['node', 'python', 'bash'] as const

/** Code of a session, as browser_execute and interact take it. */
export const codeFields = {
  language: z.enum(languages).default('node').describe('bash runs agent-browser commands.'),
  timeout: z.int().min(1).max(300).default(30).describe('Seconds.'),
}
export const Code = z.string().min(1).max(100_000).describe('Code to run.')
export const labels = {
  origin: z.string().max(256).optional().describe('Label of the calling program.'),
  integration: z.string().max(256).optional().describe('Label of the calling integration.'),
}

export const CreateInput = z.object({
  ttl: z.int().min(30).max(3600).default(600).describe('Seconds it lives at most.'),
  activityTtl: z.int().min(10).max(3600).default(300).describe('Seconds without any activity after which it ends.'),
  streamWebView: z.boolean().default(true).describe('Whether people can watch it.'),
  profile: z
    .object({
      name: z.string().min(1).max(128),
      saveChanges: z.boolean().default(true).describe('Keep what the session changes; one saver at a time.'),
    })
    .optional()
    .describe('Stored logins and storage to start with.'),
  ...labels,
})
export type CreateInput = z.output<typeof CreateInput>

const addresses = {
  cdpUrl: z.string().optional().describe('WebSocket for CDP clients: Playwright, Puppeteer, agent-browser. A secret.'),
  liveViewUrl: z.string().optional().describe('Page on which people watch. A secret.'),
  interactiveLiveViewUrl: z.string().optional().describe('Page on which people take part. A secret.'),
}

export const CreatedSession = z.object({
  id: z.string(),
  ...addresses,
  expiresAt: z.iso.datetime(),
  warning: z.string().optional(),
})

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
})

export const ExecuteResult = z.object({
  stdout: z.string().nullable(),
  result: z.string().nullable(),
  stderr: z.string().nullable(),
  exitCode: z.int().nullable().describe('0 = success.'),
  killed: z.boolean().describe('It took longer than its timeout.'),
  error: z.string().optional().describe('Why the code failed; it has run all the same.'),
})

export const SessionEnded = z.object({
  sessionDurationMs: z.number(),
  creditsBilled: z.number().describe('2 a minute, by the second.'),
})

export const ScrapeId = z.uuid().toLowerCase().describe('metadata.scrapeId of the scrape.')

export const InteractInput = z
  .object({
    jobId: ScrapeId,
    code: Code.optional().describe('Code to run; either this or prompt.'),
    prompt: z.string().min(1).max(10_000).optional().describe('A task in plain words, where a model is configured.'),
    ...codeFields,
    origin: labels.origin,
  })
  .superRefine(({ code, prompt }, check) => {
    if ((code === undefined) === (prompt === undefined))
      check.addIssue({ code: 'custom', path: ['code'], message: 'Give exactly one of code and prompt.' })
  })

export const InteractResult = z.object({
  ...ExecuteResult.shape,
  result: z.string().nullable().describe('What the last expression came to, of node; else as stdout.'),
  output: z.string().optional().describe('What the model has to say; with prompt only.'),
  liveViewUrl: z.string().optional().describe('Page on which people watch. A secret.'),
  interactiveLiveViewUrl: z.string().optional().describe('Page on which people take part. A secret.'),
})
