import { data, inStock, mug, offer, price, profile, script, shirt, shirts } from './product-format-frame.ts'

/** Pages whose structured data is JSON-LD. */
export const jsonLd: [name: string, html: string, wanted: unknown][] = [
  ['a plain product', data(mug), profile()],
  [
    'all properties of a product',
    data({
      ...mug,
      brand: { '@type': 'Brand', name: 'Clayworks' },
      category: ['Home', 'Kitchen'],
      description: 'A <b>good</b> mug &amp; more',
      url: '/mug',
      sku: 'M1',
      gtin13: '4006381333931',
      color: 'blue',
      image: ['/1.jpg', { '@type': 'ImageObject', contentUrl: '/2.jpg', caption: 'Side' }, 'data:image/png;base64,AA'],
    }),
    profile(
      {
        brand: 'Clayworks',
        category: 'Home > Kitchen',
        description: 'A good mug & more',
        url: 'https://ex.com/mug',
      },
      {
        sku: 'M1',
        id: '4006381333931',
        values: { color: 'blue' },
        images: [{ url: 'https://ex.com/1.jpg' }, { url: 'https://ex.com/2.jpg', alt: 'Side' }],
      },
    ),
  ],
  ['a product in a graph', data({ '@graph': [{ '@type': 'WebSite', name: 'Shop' }, mug] }), profile()],
  ['a product in a list of things', data([{ '@type': 'Organization' }, mug]), profile()],
  ['an item that is offered', data({ ...offer, itemOffered: { '@type': 'Product', name: 'Blue mug' } }), profile()],
  [
    'an offer referenced by its id',
    data({
      '@graph': [
        { ...mug, offers: { '@id': '#o' } },
        { '@id': '#o', ...offer },
      ],
    }),
    profile(),
  ],
  ['the second of several scripts', script('{"@type": "Prod') + data({ '@type': 'Thing' }, mug), profile()],
  ['trailing commas', script(`{"@type":"Product","name":"Blue mug","offers":${JSON.stringify(offer)},}`), profile()],
  ['CDATA', script(`//<![CDATA[\n${JSON.stringify(mug)}\n//]]>`), profile()],
  [
    'a line break in a string',
    script(`{"@type":"Product","name":"Blue\nmug","offers":${JSON.stringify(offer)}}`),
    profile(),
  ],
  [
    'a range of prices',
    data({ ...mug, offers: { '@type': 'AggregateOffer', lowPrice: 10, highPrice: '14', priceCurrency: 'USD' } }),
    profile({}, { price: { amount: 10, currency: 'USD' }, availability: { inStock: true } }),
  ],
  [
    'offers of several sellers, the first in stock',
    data({
      ...mug,
      offers: {
        '@type': 'AggregateOffer',
        lowPrice: 9,
        priceCurrency: 'EUR',
        offers: [
          { '@type': 'Offer', price: 9, availability: 'SoldOut' },
          { '@type': 'Offer', price: 12, availability: 'InStock' },
        ],
      },
    }),
    profile(),
  ],
  [
    'offers with names as variants',
    data({
      ...mug,
      offers: [
        { ...offer, name: 'Small', sku: 'a' },
        { ...offer, name: 'Large', sku: 'b', price: 15 },
      ],
    }),
    profile({
      variants: [
        { title: 'Small', sku: 'a', price, availability: inStock },
        { title: 'Large', sku: 'b', price: { ...price, amount: 15 }, availability: inStock },
      ],
    }),
  ],
  [
    'a group with its variants',
    data({ '@type': 'ProductGroup', name: 'Shirt', hasVariant: [shirt('S'), shirt('M')] }),
    profile({ title: 'Shirt', variants: shirts }),
  ],
  [
    'a price in a specification, and one that is crossed out',
    data({
      ...mug,
      offers: {
        availability: 'InStock',
        priceSpecification: [
          { price: '12', priceCurrency: 'EUR' },
          { price: '18', priceCurrency: 'EUR', priceType: 'https://schema.org/StrikethroughPrice' },
        ],
      },
    }),
    profile({}, { sale: { originalPrice: { amount: 18, currency: 'EUR' } } }),
  ],
  [
    'a product out of stock',
    data({ ...mug, offers: { ...offer, availability: 'http://schema.org/OutOfStock' } }),
    profile({}, { availability: { inStock: false, text: 'OutOfStock' } }),
  ],
  [
    'availability in the words of a shop',
    data({ ...mug, offers: { ...offer, availability: 'out of stock' } }),
    profile({}, { availability: { inStock: false, text: 'OutOfStock' } }),
  ],
  [
    'an inventory level of 0',
    data({ ...mug, offers: { ...offer, availability: undefined, inventoryLevel: { value: 0 } } }),
    profile({}, { availability: { inStock: false } }),
  ],
  [
    'a product without offers',
    data({ ...mug, offers: undefined }),
    profile({ variants: [{ availability: { inStock: false } }] }),
  ],
]
