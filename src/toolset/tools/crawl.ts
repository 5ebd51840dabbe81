import { z } from 'zod'
import type { Tool } from '../../kernel/tool.ts'
import crawlParamsPreview from '../../operations/crawl-params-preview.ts'
import crawl from '../../operations/crawl.ts'
import { crawlArguments } from '../../schema/crawl-arguments.ts'

export const crawlTool: Tool = {
  name: 'crawl',
  title: crawl.title,
  about: crawl.about,
  effect: crawl.effect,
  example: crawl.example,
  arguments: crawlArguments.extend({
    preview: z.boolean().default(false).describe('Crawl nothing; show what the prompt stands for.'),
  }),
  variants: [
    { operation: crawlParamsPreview, when: { preview: true } },
    { operation: crawl, when: { preview: false } },
  ],
}
