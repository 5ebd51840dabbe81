import { Checkbox, Dialog, DropdownMenu, Label, RadioGroup, Select, Slider, Switch, Tabs } from 'radix-ui'
import { createRoot } from 'react-dom/client'
import { fruits, report } from './report.js'

const box = { width: 24, height: 24, border: '1px solid' }

createRoot(document.body.appendChild(document.createElement('main'))).render(
  <>
    <DropdownMenu.Root>
      <DropdownMenu.Trigger>Actions</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content>
          <DropdownMenu.Item onSelect={() => report('menu', 'rename')}>Rename</DropdownMenu.Item>
          <DropdownMenu.Item onSelect={() => report('menu', 'remove')}>Remove</DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
    <Label.Root htmlFor="fruit">Fruit</Label.Root>
    <Select.Root onValueChange={(value) => report('fruit', value)}>
      <Select.Trigger id="fruit">
        <Select.Value placeholder="Pick one" />
      </Select.Trigger>
      <Select.Portal>
        <Select.Content>
          <Select.Viewport>
            {fruits.map((each) => (
              <Select.Item key={each} value={each}>
                <Select.ItemText>{each}</Select.ItemText>
              </Select.Item>
            ))}
          </Select.Viewport>
        </Select.Content>
      </Select.Portal>
    </Select.Root>
    <Dialog.Root onOpenChange={(isOpen) => report('dialog', isOpen ? 'open' : 'closed')}>
      <Dialog.Trigger>Settings</Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay style={{ position: 'fixed', inset: 0, background: '#0006' }} />
        <Dialog.Content
          aria-describedby={undefined}
          style={{ position: 'fixed', left: 200, top: 200, background: '#fff' }}
        >
          <Dialog.Title>All settings</Dialog.Title>
          <label>
            Nickname <input onChange={({ target }) => report('nickname', target.value)} />
          </label>
          <Dialog.Close>Done</Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
    <Checkbox.Root id="news" style={box} onCheckedChange={(value) => report('news', value)}>
      <Checkbox.Indicator>✓</Checkbox.Indicator>
    </Checkbox.Root>
    <label htmlFor="news">
      I want news by <a href="#mail">mail</a>
    </label>
    <Switch.Root id="dark" style={box} onCheckedChange={(value) => report('dark', value)} />
    <label htmlFor="dark">Dark mode</label>
    <RadioGroup.Root onValueChange={(value) => report('delivery', value)}>
      {['Standard', 'Express'].map((each) => (
        <div key={each}>
          <RadioGroup.Item id={each} value={each} style={box} />
          <label htmlFor={each}>{each}</label>
        </div>
      ))}
    </RadioGroup.Root>
    <Slider.Root
      step={5}
      style={{ position: 'relative', display: 'flex', width: 200, height: 20 }}
      onValueChange={([value]) => report('volume', value)}
    >
      <Slider.Track style={{ flex: 1, background: '#ccc' }} />
      <Slider.Thumb aria-label="Volume" style={{ ...box, display: 'block' }} />
    </Slider.Root>
    <Tabs.Root defaultValue="Details" onValueChange={(value) => report('tab', value)}>
      <Tabs.List>
        {['Details', 'Reviews'].map((each) => (
          <Tabs.Trigger key={each} value={each}>
            {each}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {['Details', 'Reviews'].map((each) => (
        <Tabs.Content key={each} value={each}>{`Text of ${each}`}</Tabs.Content>
      ))}
    </Tabs.Root>
  </>,
)
