import { describe, expect, it } from 'vitest'
import { main, page, prose } from './frame.ts'
import { data, mug as plainMug } from './product-format-frame.ts'
import { markdownOf } from './read.ts'

const mug = {
  ...plainMug,
  description: 'A mug of blue stoneware, thrown by hand, that keeps coffee hot for longer than a thin one does.',
  brand: { '@type': 'Brand', name: 'Clayworks' },
}
const options = `<fieldset><legend>Size</legend><ul class="swatches"><li>Small</li><li>Large</li></ul></fieldset>`
const table = `<table><tr><th>Material</th><td>Stoneware</td></tr><tr><th>Volume</th><td>350 ml</td></tr></table>`

describe('a product page', () => {
  it('keeps name, price, options and specifications', () => {
    const markdown = markdownOf(
      page(
        `<main><h1>Blue mug</h1><span class="price">€12.00</span><div class="variants"><ul><li>Small</li><li>Large</li></ul></div>
        <button>Add to cart</button><a href="/cart">View cart</a><p>Taxes included and shipping calculated at checkout.</p>
        ${prose('mugs')}<h2>Specifications</h2>${table}
        <section><h2>You may also like</h2><a href="/p/2">Red mug</a><a href="/p/3">Green mug</a></section></main>`,
        data(mug),
      ),
      main,
    )
    for (const text of ['# Blue mug', '€12.00', '- Small', '- Large', '350 ml', 'about mugs'])
      expect(markdown).toContain(text)
  })

  it('with hardly any visible text shows its structured data', () => {
    const markdown = markdownOf(page('<div id="app"><img src="/mug.jpg" alt="A mug"></div>', data(mug)), main)
    expect(markdown).toMatch(/^# Blue mug/)
    for (const text of ['- Price: 12.00 EUR', '- Availability: In Stock', '- Brand: Clayworks', mug.description])
      expect(markdown).toContain(text)
  })

  it.each([
    [
      'a range of prices',
      { '@type': 'AggregateOffer', lowPrice: 10, highPrice: 14, priceCurrency: 'USD' },
      '10–14 USD',
    ],
    ['a list of offers', [{ '@type': 'Offer', price: 9.5, priceCurrency: 'GBP' }], '9.5 GBP'],
    ['a price without its currency', { '@type': 'Offer', price: '7' }, 'Price: 7'],
    ['a price in a specification', { priceSpecification: [{ price: '8', priceCurrency: 'CHF' }] }, '8 CHF'],
  ])('reads %s', (_, offers, wanted) => {
    expect(markdownOf(page('<main><h1>Blue mug</h1></main>', data({ ...mug, offers })), main)).toContain(wanted)
  })

  it('is read in a graph, and if its offers are in its variants', () => {
    const group = {
      ...mug,
      '@type': 'ProductGroup',
      offers: undefined,
      hasVariant: [{ '@type': 'Product', offers: mug.offers }],
    }
    const head = data({ '@graph': [{ '@type': 'WebSite', name: 'Shop' }, group] })
    expect(markdownOf(page('<main><h1>Blue mug</h1></main>', head), main)).toContain('Price: 12.00 EUR')
  })

  it('keeps the content of a collapsed accordion', () => {
    const accordion = `<h3><button aria-controls="care" aria-expanded="false">Care</button></h3>
      <div id="care" role="region" aria-hidden="true"><p>Dishwasher safe at any temperature.</p></div>${options}`
    const markdown = markdownOf(page(`<main><h1>Blue mug</h1>${prose('mugs')}${accordion}</main>`, data(mug)), main)
    expect(markdown).toContain('Dishwasher safe')
  })
})
