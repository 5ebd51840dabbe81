import type { PageContent, ReadRequest } from '../../src/contracts/page-content.ts'

/** A page with content in every part. */
export const everyPart = (request: ReadRequest): PageContent => ({
  markdown: 'Hello',
  html: '<p>Hello</p>',
  links: ['https://example.com/a'],
  images: ['https://example.com/a.png'],
  attributes: request.attributes.map((query) => ({ ...query, values: [query.selector] })),
  metadata: { title: 'A title' },
})
