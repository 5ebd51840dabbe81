import { describe, expect, test } from 'vitest'
import type { MenuItem, MenuProfile } from '../../src/contracts/page-content.ts'
import { builtInMenu } from '../../src/engine/understand/menu-of-page.ts'
import { read } from '../html/read.ts'

const url = 'https://trattoria.example/card'

function menuOf(body: string, { title = 'Trattoria', head = '', lang = 'en' } = {}): MenuProfile {
  const html = `<!doctype html><html lang="${lang}"><head><title>${title}</title>${head}</head><body><main>${body}</main></body></html>`
  return builtInMenu({ url, content: read(html, ['markdown', 'metadata', 'menu'], { url }) })
}
const jsonLd = (data: object) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`
const short = ({ name, description, price }: MenuItem) => [name, description, price?.amount, price?.currency]
const dishes = (menu: MenuProfile) =>
  Object.fromEntries(menu.sections.map(({ name, items }) => [name, items.map((dish) => short(dish))]))

const item = (name: string, more: object = {}) => ({ '@type': 'MenuItem', name, ...more })
const offer = (price: string | number, more: object = {}) => {
  return { '@type': 'Offer', price, priceCurrency: 'EUR', ...more }
}
const section = (name: string, more: object = {}) => ({ '@type': 'MenuSection', name, ...more })

const margherita = item('Margherita', {
  description: 'Tomato, mozzarella',
  image: '/margherita.jpg',
  sku: 'P1',
  offers: offer('8.50'),
  suitableForDiet: ['https://schema.org/VegetarianDiet', 'https://schema.org/GlutenFreeDiet'],
  nutrition: { '@type': 'NutritionInformation', calories: '810 calories' },
})
const diavola = item('Diavola', { offers: [offer(9, { name: 'small' }), offer(12, { name: 'large' })] })
const hasMenuItem = [margherita, diavola, item('Of the day'), { '@type': 'MenuItem', offers: { price: 3 } }]
const place = { streetAddress: 'Via Roma 1', addressLocality: 'Bari' }
const restaurant = {
  '@context': 'https://schema.org',
  '@type': 'Restaurant',
  name: 'Da Nino',
  address: { '@type': 'PostalAddress', ...place },
  hasMenu: { '@type': 'Menu', hasMenuSection: [section('Pizza', { hasMenuItem }), section('Empty')] },
}

describe('a menu in structured data', () => {
  test('is read with its restaurant', () => {
    const menu = menuOf('<p>Welcome</p>', { head: jsonLd(restaurant) })
    expect(menu).toMatchObject({
      isMenu: true,
      merchant: { name: 'Da Nino', type: 'Restaurant', location: place },
      currency: 'EUR',
      sourceUrl: url,
    })
    expect(menu.confidence).toBeGreaterThan(0.9)
    expect(menu.sections.map(({ name }) => name)).toEqual(['Pizza'])
    const [first, second, daily, ...more] = menu.sections[0]!.items
    expect(first).toEqual({
      id: 'pizza/margherita',
      name: 'Margherita',
      description: 'Tomato, mozzarella',
      images: [{ url: 'https://trattoria.example/margherita.jpg' }],
      price: { amount: 8.5, currency: 'EUR' },
      availability: { inStock: true },
      dietary: ['vegetarian', 'gluten-free'],
      calories: 810,
      optionGroups: [],
      identifiers: { merchantItemId: 'P1' },
      sourceUrl: url,
    })
    const options = [9, 12].map((amount, at) => ({ name: ['small', 'large'][at], price: { amount, currency: 'EUR' } }))
    expect(second?.optionGroups).toEqual([{ options }])
    expect(daily).not.toHaveProperty('price')
    expect(daily?.availability).toEqual({ inStock: true })
    expect(more).toEqual([])
  })

  test('may be linked by ids, even in a circle', () => {
    const graph = [
      { '@type': 'Menu', '@id': '#m', hasMenuSection: { '@id': '#s' } },
      section('Soups', { '@id': '#s', hasMenuSection: { '@id': '#s' }, hasMenuItem: { '@id': '#i' } }),
      item('Ramen', { '@id': '#i', offers: { price: 1200, priceCurrency: 'JPY' } }),
    ]
    expect(dishes(menuOf('', { head: jsonLd({ '@graph': graph }) }))).toEqual({
      Soups: [['Ramen', undefined, 1200, 'JPY']],
    })
  })
})

test('sections with the same name have different ids', () => {
  const wines = ['Red', 'White', '🍷', '🍷'].map((name) => item(name))
  const hasMenuSection = ['Wine 2', 'Wine', 'Wine', 'Mains'].map((name) => section(name, { hasMenuItem: wines }))
  const { sections } = menuOf('', { head: jsonLd({ '@type': 'Menu', hasMenuSection }) })
  expect(sections.map(({ id }) => id)).toEqual(['wine-2', 'wine', 'wine-3', 'mains'])
  const ids = sections.flatMap(({ id, items }) => [id, ...items.map((dish) => dish.id)])
  expect(new Set(ids).size).toBe(ids.length)
})

test('a page without structured data is no menu, with a confidence of one half', () => {
  const menu = menuOf('<h1>Menu</h1><ul><li>Cod £14</li><li>Lamb £18</li><li>Pie £11</li></ul>')
  expect(menu).toMatchObject({ isMenu: false, confidence: 0.5, sections: [], currency: null })
})
