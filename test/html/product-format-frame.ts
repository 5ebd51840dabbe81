import { pageUrl } from './read.ts'

export const script = (text: string, type = 'application/ld+json') => `<script type="${type}">${text}</script>`
export const data = (...things: unknown[]) => things.map((thing) => script(JSON.stringify(thing))).join('')
export const offer = {
  '@type': 'Offer',
  price: '12.00',
  priceCurrency: 'EUR',
  availability: 'https://schema.org/InStock',
}
export const mug = { '@context': 'https://schema.org', '@type': 'Product', name: 'Blue mug', offers: offer }
export const price = { amount: 12, currency: 'EUR' }
export const inStock = { inStock: true, text: 'InStock' }
/** Returns the profile of the plain mug with the given changes. */
export const profile = (over: object = {}, variant: object = {}) => ({
  title: 'Blue mug',
  url: pageUrl,
  variants: [{ price, availability: inStock, ...variant }],
  ...over,
})

export const shirt = (size: string, more: object = {}) => ({
  '@type': 'Product',
  name: `Shirt ${size}`,
  sku: `S-${size}`,
  size,
  offers: { ...offer, price: 20 },
  ...more,
})
export const shirts = [
  {
    sku: 'S-S',
    title: 'Shirt S',
    values: { size: 'S' },
    price: { amount: 20, currency: 'EUR' },
    availability: inStock,
  },
  {
    sku: 'S-M',
    title: 'Shirt M',
    values: { size: 'M' },
    price: { amount: 20, currency: 'EUR' },
    availability: inStock,
  },
]
