import type { Maker } from './maker.ts'

const none = 'There is no product on this page that its structured data describes.'

export const product: Maker<unknown> = {
  needs: ['product'],
  make: ({ parts: { product: found } }) => (found ? { product: found } : { warning: none }),
}
