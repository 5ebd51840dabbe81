import '@shoelace-style/shoelace'
import css from '@shoelace-style/shoelace/dist/themes/light.css'
import { fruits, report } from './report.js'

document.head.append(Object.assign(document.createElement('style'), { textContent: css }))
const main = document.body.appendChild(document.createElement('main'))
main.innerHTML = `
  <sl-dropdown><sl-button slot="trigger">Actions</sl-button>
    <sl-menu><sl-menu-item value="rename">Rename</sl-menu-item><sl-menu-item value="remove">Remove</sl-menu-item></sl-menu>
  </sl-dropdown>
  <sl-select label="Fruit" placeholder="Pick one">
    ${fruits.map((each) => `<sl-option value="${each}">${each}</sl-option>`).join('')}
  </sl-select>
  <sl-button id="settings">Settings</sl-button>
  <sl-dialog label="All settings"><sl-input label="Nickname"></sl-input><sl-button slot="footer">Done</sl-button></sl-dialog>
  <sl-checkbox>I want news by <a href="#mail">mail</a></sl-checkbox>
  <sl-switch>Dark mode</sl-switch>
  <sl-radio-group label="Delivery"><sl-radio value="Standard">Standard</sl-radio><sl-radio value="Express">Express</sl-radio></sl-radio-group>
  <sl-range label="Volume" step="5"></sl-range>
  <sl-tab-group>
    <sl-tab slot="nav" panel="Details">Details</sl-tab><sl-tab slot="nav" panel="Reviews">Reviews</sl-tab>
    <sl-tab-panel name="Details">Text of Details</sl-tab-panel><sl-tab-panel name="Reviews">Text of Reviews</sl-tab-panel>
  </sl-tab-group>`

const on = (selector, type, onChange) => main.querySelector(selector).addEventListener(type, onChange)
const dialog = main.querySelector('sl-dialog')
on('sl-dropdown', 'sl-select', ({ detail }) => report('menu', detail.item.value))
on('sl-select', 'sl-change', ({ target }) => report('fruit', target.value))
on('#settings', 'click', () => {
  dialog.show()
  report('dialog', 'open')
})
on('sl-dialog sl-button', 'click', () => {
  dialog.hide()
  report('dialog', 'closed')
})
on('sl-input', 'sl-input', ({ target }) => report('nickname', target.value))
on('sl-checkbox', 'sl-change', ({ target }) => report('news', target.checked))
on('sl-switch', 'sl-change', ({ target }) => report('dark', target.checked))
on('sl-radio-group', 'sl-change', ({ target }) => report('delivery', target.value))
on('sl-range', 'sl-change', ({ target }) => report('volume', target.value))
on('sl-tab-group', 'sl-tab-show', ({ detail }) => detail.name === 'Reviews' && report('tab', detail.name))
