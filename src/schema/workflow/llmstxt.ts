import { z } from 'zod'
import { callLabels, noRetention, waitSeconds } from '../job-fields.ts'
import { WebUrl } from '../url.ts'
import { WorkflowState } from './state.ts'

export const LlmsTxtInput = z.object({
  url: WebUrl.describe('Site to describe, preferably its home page. Only pages below its path are listed.'),
  maxUrls: z.int().min(1).max(1000).default(50).describe('Maximum pages to list.'),
  showFullText: z.boolean().default(false).describe('Also return the text of all pages as llms-full.txt.'),
  cache: z.boolean().default(true).describe('Use cached pages. Default true.'),
  zeroDataRetention: noRetention,
  ...callLabels,
  wait: waitSeconds('Seconds to wait for the result. Omit to get the id of the job at once.'),
})
export type LlmsTxtInput = z.output<typeof LlmsTxtInput>

const LlmsTxt = z.object({
  llmstxt: z.string().describe('The file llms.txt: title and description of the site, and its pages by section.'),
  llmsfulltxt: z.string().optional().describe('The file llms-full.txt: the text of the pages.'),
})

export const LlmsTxtState = WorkflowState.omit({ sources: true }).extend({
  data: LlmsTxt.optional().describe('The files, once the job is completed.'),
})
export type LlmsTxtState = z.output<typeof LlmsTxtState>
