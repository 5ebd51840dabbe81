import { z } from 'zod'
import { Code, codeFields, ExecuteResult, labels } from './session.ts'

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
