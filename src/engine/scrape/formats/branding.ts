import { brandingByModel } from '../../understand/branding.ts'
import type { MakerOf } from './maker.ts'
import { understand } from './understand.ts'

/** The design as measured, refined by a model where there is one. What was measured is whole, so its absence is no warning. */
export const branding: MakerOf<'branding'> = {
  needs: ['markdown'],
  async make(page) {
    const { branding: measured, markdown = '' } = page.content
    if (measured === undefined) return {}
    const { value, madeBy } = await understand(page, {
      what: 'branding',
      byModel: (model) => brandingByModel(model, measured, markdown),
      builtIn: () => measured,
    })
    return { branding: value, madeBy }
  },
}
