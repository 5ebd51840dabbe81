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

/** Pages that describe a product without JSON-LD, or in several syntaxes. */
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
    'a price that only Open Graph tags contain',
    `${data({ ...mug, offers: undefined })}<meta property="og:title" content="Blue mug | Shop"><meta property="og:price:amount" content="12"><meta property="og:price:currency" content="EUR">`,
    profile({}, { availability: { inStock: true } }),
  ],
  ['one of several products, by its name', `${data(mug, { ...mug, name: 'Red mug' })}<h1>Blue Mug!</h1>`, profile()],
]
