import type { Maker } from './maker.ts'

export const markdown: Maker<unknown> = {
  needs: ['markdown'],
  make: ({ parts }) => ({ markdown: parts.markdown ?? '' }),
}
export const html: Maker<unknown> = { needs: ['html'], make: ({ parts }) => ({ html: parts.html ?? '' }) }
export const links: Maker<unknown> = { needs: ['links'], make: ({ parts }) => ({ links: parts.links ?? [] }) }
export const images: Maker<unknown> = { needs: ['images'], make: ({ parts }) => ({ images: parts.images ?? [] }) }
export const rawHtml: Maker<unknown> = { needs: [], needsBody: true, make: (page) => ({ rawHtml: page.rawHtml() }) }
export const screenshot: Maker<unknown> = {
  needs: [],
  make: ({ parts: { screenshot: taken } }) => (taken === undefined ? {} : { screenshot: taken }),
}
export const branding: Maker<unknown> = {
  needs: [],
  make: ({ parts: { branding: found } }) => (found === undefined ? {} : { branding: found }),
}
