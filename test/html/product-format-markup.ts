import { expect } from 'vitest'
import { data, inStock, mug, price, profile, script } from './product-format-frame.ts'
import { pageUrl } from './read.ts'

const shopVariant = { id: 7, title: 'S / Red', option1: 'S', option2: 'Red', sku: 'r-s', price: 2500, available: true }
const shopProduct = {
  id: 1,
  title: 'Shirt',
  vendor: 'Acme',
  type: 'Clothes',
  options: ['Size', 'Color'],
  images: ['//cdn.ex.com/a.jpg'],
  variants: [
    { ...shopVariant, compare_at_price: 3000 },
    { ...shopVariant, id: 8, option1: 'M', title: 'M / Red', sku: '', available: false },
  ],
}

/** Pages that say it in other ways, or in several. */
export const markup: [name: string, html: string, wanted: unknown][] = [
  [
    'microdata',
    `<html lang="de"><div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Blue mug</h1>
      <img itemprop="image" src="/a.jpg"><span itemprop="brand" itemscope itemtype="https://schema.org/Brand"><b itemprop="name">Clayworks</b></span>
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price">12,00 €</span>
      <link itemprop="availability" href="https://schema.org/InStock"></div></div>`,
    profile(
      { brand: 'Clayworks' },
      { price: { ...price, formatted: '12,00 €' }, images: [{ url: 'https://ex.com/a.jpg' }] },
    ),
  ],
  [
    'microdata with its values in attributes',
    `<div itemscope itemtype="http://schema.org/Product"><meta itemprop="name" content="Blue mug"><div itemprop="offers" itemscope>
      <span itemprop="price" content="12.00">twelve</span><meta itemprop="priceCurrency" content="EUR"><meta itemprop="availability" content="in_stock"></div></div>`,
    profile(),
  ],
  [
    'RDFa',
    `<div vocab="https://schema.org/" typeof="Product"><span property="name">Blue mug</span><div property="offers" typeof="Offer">
      <meta property="price" content="12.00"><meta property="priceCurrency" content="EUR"><link property="availability" href="https://schema.org/InStock"></div></div>`,
    profile(),
  ],
  [
    'OpenGraph tags',
    `<meta property="og:type" content="product"><meta property="og:title" content="Blue mug"><meta property="product:price:amount" content="12.00">
      <meta property="product:price:currency" content="EUR"><meta property="product:availability" content="in stock"><meta property="product:brand" content="Clayworks">`,
    profile({ brand: 'Clayworks' }),
  ],
  [
    'a sale in OpenGraph tags',
    `<meta property="og:title" content="Blue mug"><meta property="product:price:amount" content="15"><meta property="product:price:currency" content="EUR">
      <meta property="product:sale_price:amount" content="12"><meta property="product:availability" content="instock">`,
    profile({}, { sale: { originalPrice: { amount: 15, currency: 'EUR' } } }),
  ],
  [
    "a shop's own data",
    `<script>Shopify.currency = {"active":"USD","rate":"1.0"};</script>${script(JSON.stringify(shopProduct), 'application/json')}`,
    {
      title: 'Shirt',
      url: pageUrl,
      brand: 'Acme',
      category: 'Clothes',
      variants: [
        {
          id: '7',
          sku: 'r-s',
          title: 'S / Red',
          values: { Size: 'S', Color: 'Red' },
          price: { amount: 25, currency: 'USD' },
          sale: { originalPrice: { amount: 30, currency: 'USD' } },
          availability: inStock,
          images: [{ url: 'https://cdn.ex.com/a.jpg' }],
        },
        {
          id: '8',
          title: 'M / Red',
          values: { Size: 'M', Color: 'Red' },
          price: { amount: 25, currency: 'USD' },
          availability: { inStock: false, text: 'OutOfStock' },
          images: [{ url: 'https://cdn.ex.com/a.jpg' }],
        },
      ],
    },
  ],
  [
    "a shop's data for its statistics",
    `<h1>Shirt</h1><script>window.ShopifyAnalytics = window.ShopifyAnalytics || {};
      var meta = {"product":{"id":1,"vendor":"Acme","variants":[{"id":7,"price":2500,"name":"Shirt - S","public_title":"S","sku":"s"}]},"page":{"a":"}"}};
      for (var attr in meta) {}</script><meta property="og:price:currency" content="CAD">`,
    {
      title: 'Shirt',
      url: pageUrl,
      brand: 'Acme',
      variants: [
        { id: '7', sku: 's', title: 'S', price: { amount: 25, currency: 'CAD' }, availability: { inStock: true } },
      ],
    },
  ],
  [
    'the variants of the shop, and the rest by JSON-LD',
    `${data({ ...mug, name: 'Shirt', description: 'Of linen' })}${script(JSON.stringify({ product: { ...shopProduct, images: [] } }), 'application/json')}`,
    expect.objectContaining({
      description: 'Of linen',
      brand: 'Acme',
      variants: [
        expect.objectContaining({ price: { amount: 25, currency: 'EUR' } }),
        expect.objectContaining({ id: '8' }),
      ],
    }),
  ],
  [
    'a price that only the tags tell',
    `${data({ ...mug, offers: undefined })}<meta property="og:title" content="Blue mug | Shop"><meta property="og:price:amount" content="12"><meta property="og:price:currency" content="EUR">`,
    profile({}, { availability: { inStock: true } }),
  ],
  ['one of several products, by its name', `${data(mug, { ...mug, name: 'Red mug' })}<h1>Blue Mug!</h1>`, profile()],
  [
    'one of several products, by its address',
    data({ ...mug, name: 'Red mug', url: '/red' }, { ...mug, url: `${pageUrl}?a=b` }),
    profile({ url: `${pageUrl}?a=b` }),
  ],
]
