import '@material/web/all.js'
import { fruits, report } from './report.js'

const main = document.body.appendChild(document.createElement('main'))
main.innerHTML = `
  <div style="position: relative"><md-outlined-button id="actions">Actions</md-outlined-button>
    <md-menu anchor="actions">
      <md-menu-item value="rename"><div slot="headline">Rename</div></md-menu-item>
      <md-menu-item value="remove"><div slot="headline">Remove</div></md-menu-item>
    </md-menu></div>
  <md-outlined-select label="Fruit">
    ${fruits.map((each) => `<md-select-option value="${each}"><div slot="headline">${each}</div></md-select-option>`).join('')}
  </md-outlined-select>
  <md-filled-button id="settings">Settings</md-filled-button>
  <md-dialog><div slot="headline">All settings</div>
    <div slot="content"><md-filled-text-field label="Nickname"></md-filled-text-field></div>
    <div slot="actions"><md-text-button id="done">Done</md-text-button></div></md-dialog>
  <label><md-checkbox touch-target="wrapper"></md-checkbox> I want news by <a href="#mail">mail</a></label>
  <label><md-switch></md-switch> Dark mode</label>
  <div><md-radio id="standard" name="delivery" value="Standard"></md-radio><label for="standard">Standard</label>
    <md-radio id="express" name="delivery" value="Express"></md-radio><label for="express">Express</label></div>
  <md-slider aria-label="Volume" step="5" value="0"></md-slider>
  <md-tabs><md-primary-tab>Details</md-primary-tab><md-primary-tab>Reviews</md-primary-tab></md-tabs>`

const on = (selector, type, onChange) => main.querySelector(selector).addEventListener(type, onChange)
const [menu, dialog] = [main.querySelector('md-menu'), main.querySelector('md-dialog')]
on('#actions', 'click', () => {
  menu.open = !menu.open
})
on('md-menu', 'close-menu', ({ detail }) => report('menu', detail.initiator.getAttribute('value')))
on('md-outlined-select', 'change', ({ target }) => report('fruit', target.value))
on('#settings', 'click', () => {
  void dialog.show()
  report('dialog', 'open')
})
on('#done', 'click', () => {
  void dialog.close()
  report('dialog', 'closed')
})
on('md-filled-text-field', 'input', ({ target }) => report('nickname', target.value))
on('md-checkbox', 'change', ({ target }) => report('news', target.checked))
on('md-switch', 'change', ({ target }) => report('dark', target.selected))
for (const radio of main.querySelectorAll('md-radio'))
  radio.addEventListener('change', ({ target }) => report('delivery', target.value))
on('md-slider', 'change', ({ target }) => report('volume', target.value))
on('md-tabs', 'change', ({ target }) => report('tab', target.activeTab.textContent))
