import { builtInMenu } from '../../understand/menu/built-in.ts'
import { menuByModel } from '../../understand/menu/by-model.ts'
import type { MakerOf } from './maker.ts'
import { understand } from './understand.ts'

/** The menu of a restaurant; of any other page, that it is none. */
export const menu: MakerOf<'menu'> = {
  needs: ['markdown', 'metadata', 'menu'],
  async make(page) {
    const { value, ...how } = await understand(page, {
      what: 'menu',
      byModel: (model) => menuByModel(model, page),
      builtIn: () => builtInMenu(page),
    })
    return { menu: value, ...how }
  },
}
