import { z } from 'zod'
import type { Tool } from '../../kernel/tool.ts'
import agent from '../../operations/agent.ts'
import extract from '../../operations/extract.ts'
import { agentArguments } from '../../schema/workflow/agent.ts'
import { extractArguments } from '../../schema/workflow/extract-arguments.ts'

const { prompt, schema, effort, maxPages, wait } = agentArguments.shape
const { enableWebSearch } = extractArguments.shape

export const agentTool: Tool = {
  name: 'agent',
  title: 'Answer from many pages',
  about:
    'Answer a question, or fill a JSON Schema, from many pages, with sources. Reads the urls and merges what they say; without urls searches the web and follows links. Returns an id, with wait the answer; continue with crawl_status.',
  effect: 'create',
  example: agent.example,
  arguments: z.object({
    prompt: prompt.optional().describe('The question, or the data wanted.'),
    schema,
    urls: z.array(z.string()).optional().describe('Pages to read; /* at the end: the pages below.'),
    maxPages: maxPages.describe('Most pages to read.'),
    effort: effort.describe('Without urls: 5, 15 or 40 pages.'),
    enableWebSearch: enableWebSearch.describe('With urls: also search the web.'),
    wait,
  }),
  variants: [
    { operation: extract, given: 'urls', adds: { showSources: true }, fields: { maxPages: 'limit' } },
    { operation: agent },
  ],
}
