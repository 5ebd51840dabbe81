import { expect, test } from 'vitest'
import { scrapeCredits, type PriceFacts } from '../../src/engine/billing/price.ts'

test.each<[number, string, Partial<PriceFacts>]>([
  [1, 'a page', {}],
  [
    1,
    'a page in all formats that need no model',
    { formats: ['markdown', 'html', 'rawHtml', 'links', 'images', 'attributes'] },
  ],
  [1, 'a page with a picture', { formats: ['markdown', 'screenshot', 'branding', 'summary', 'changeTracking'] }],
  [5, 'JSON by a model', { formats: ['json'] }],
  [5, 'an answer', { formats: ['question'] }],
  [5, 'highlights', { formats: ['markdown', 'highlights'] }],
  [5, 'audio', { formats: ['audio'] }],
  [5, 'video', { formats: ['video'] }],
  [9, 'JSON and an answer', { formats: ['json', 'question'] }],
  [7, 'a PDF of seven pages', { pdfPages: 7 }],
  [11, 'JSON of a PDF of seven pages', { pdfPages: 7, formats: ['json'] }],
  [5, 'a page by the enhanced proxy', { enhancedProxy: true }],
  [1, 'a page by the basic proxy', { enhancedProxy: false }],
  [5, 'a page in lockdown', { lockdown: true }],
])('a scrape costs %i credits: %s', (credits, _, facts) => {
  expect(scrapeCredits({ formats: ['markdown'], lockdown: false, ...facts })).toBe(credits)
})
