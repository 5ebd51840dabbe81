import {
  Button,
  Checkbox,
  Dialog,
  DialogTrigger,
  Heading,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Menu,
  MenuItem,
  MenuTrigger,
  Modal,
  Popover,
  Radio,
  RadioGroup,
  Select,
  SelectValue,
  Slider,
  SliderThumb,
  SliderTrack,
  Switch,
  Tab,
  TabList,
  TabPanel,
  Tabs,
  TextField,
} from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import { fruits, report } from './report.js'

const tabs = ['Details', 'Reviews']

createRoot(document.body.appendChild(document.createElement('main'))).render(
  <>
    <MenuTrigger>
      <Button>Actions</Button>
      <Popover>
        <Menu onAction={(key) => report('menu', key)}>
          <MenuItem id="rename">Rename</MenuItem>
          <MenuItem id="remove">Remove</MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
    <Select onChange={(key) => report('fruit', key)}>
      <Label>Fruit</Label>
      <Button>
        <SelectValue />
      </Button>
      <Popover>
        <ListBox>
          {fruits.map((each) => (
            <ListBoxItem key={each} id={each}>
              {each}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
    <DialogTrigger onOpenChange={(isOpen) => report('dialog', isOpen ? 'open' : 'closed')}>
      <Button>Settings</Button>
      <Modal style={{ position: 'fixed', left: 200, top: 200, background: '#fff' }}>
        <Dialog>
          <Heading slot="title">All settings</Heading>
          <TextField onChange={(value) => report('nickname', value)}>
            <Label>Nickname</Label>
            <Input />
          </TextField>
          <Button slot="close">Done</Button>
        </Dialog>
      </Modal>
    </DialogTrigger>
    <Checkbox onChange={(value) => report('news', value)}>
      I want news by <a href="#mail">mail</a>
    </Checkbox>
    <Switch onChange={(value) => report('dark', value)}>Dark mode</Switch>
    <RadioGroup aria-label="Delivery" onChange={(value) => report('delivery', value)}>
      <Radio value="Standard">Standard</Radio>
      <Radio value="Express">Express</Radio>
    </RadioGroup>
    <Slider step={5} style={{ width: 200 }} onChange={(value) => report('volume', value)}>
      <Label>Volume</Label>
      <SliderTrack style={{ height: 20, background: '#ccc' }}>
        <SliderThumb style={{ width: 20, height: 20, top: 10, background: '#000' }} />
      </SliderTrack>
    </Slider>
    <Tabs onSelectionChange={(key) => key === 'Reviews' && report('tab', key)}>
      <TabList aria-label="Parts">
        {tabs.map((each) => (
          <Tab key={each} id={each}>
            {each}
          </Tab>
        ))}
      </TabList>
      {tabs.map((each) => (
        <TabPanel key={each} id={each}>{`Text of ${each}`}</TabPanel>
      ))}
    </Tabs>
  </>,
)
