import { waitFor } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { keepFocus } from '../../../src/parts/hooks/keptFocus.ts'

const list = `
  <div class="table-frame">
    <div id="region" tabindex="0"><table>
      <thead><tr><th><button id="sort">Name</button></th></tr></thead>
      <tbody>
        <tr id="row1"><td><input type="checkbox" id="check1" /></td><td><a id="link1" href="#1">1</a></td></tr>
        <tr id="row2"><td><input type="checkbox" id="check2" /></td><td><a id="link2" href="#2">2</a></td></tr>
      </tbody>
    </table></div>
    <div id="instead"><button id="again">Try again</button></div>
  </div>`
const page = `
  <main id="main" tabindex="-1">
    <button id="create">Create</button>
    <ul><li id="chip1"><button id="remove1">x</button></li><li id="chip2"><button id="remove2">x</button></li></ul>
    <ul>
      <li><a id="record1" href="#1">1</a><button id="waive1">Waive</button></li>
      <li><a id="record2" href="#2">2</a><button id="waive2">Waive</button></li>
      <li><a id="record3" href="#3">3</a></li>
    </ul>
    ${list}
    <div id="notice"><button id="retry">Retry</button></div>
  </main>
  <div class="bp6-dialog" id="dialog" tabindex="-1">
    <fieldset>
      <div id="item1"><input id="amount1" /><button id="drop1">x</button></div>
      <div id="item2"><input id="amount2" /><button id="drop2">x</button></div>
      <button id="add">Add</button>
    </fieldset>
  </div>`
const at = (id: string) => document.getElementById(id)!
const focused = () => document.activeElement?.id ?? ''
const twoFrames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))

/** The focus is on `held`; then these are removed. */
const draw = (held: string, ...removed: string[]) => {
  document.body.innerHTML = page
  const stop = keepFocus()
  onTestFinished(() => {
    stop()
    document.body.innerHTML = ''
  })
  at(held).focus()
  for (const id of removed) at(id).remove()
}

test.each([
  ['the link of a row to that of the next row', 'link1', ['row1'], 'link2'],
  ['the link of the last row to that of the row before', 'link2', ['row2'], 'link1'],
  ['the checkbox of a row to that of the next row', 'check1', ['row1'], 'check2'],
  ['the only row to the table', 'link1', ['row2', 'row1'], 'region'],
  ['the button of a failed list to the table', 'again', ['instead'], 'region'],
  ['a filter to the next one', 'remove1', ['chip1'], 'remove2'],
  ['a link within its item to the next item', 'remove1', ['remove1'], 'remove2'],
  ['a button beside a link that stays to the same button of the next item', 'waive1', ['waive1'], 'waive2'],
  ['the last such button to that of the item before', 'waive2', ['waive2'], 'waive1'],
  ['the only such button to the link beside it', 'waive2', ['waive1', 'waive2'], 'record2'],
  ['what stands by itself to the screen', 'retry', ['notice'], 'main'],
  ['a row of a dialog to the same button of the next row', 'drop1', ['item1'], 'drop2'],
  ['the last row of a dialog to the button below it', 'drop2', ['item2'], 'add'],
  ['all of a list in a dialog to the dialog', 'amount1', ['item1', 'item2', 'add'], 'dialog'],
])('the focus goes from %s when that is removed', async (_, held, removed, heir) => {
  draw(held, ...removed)
  await waitFor(() => expect(focused()).toBe(heir))
})

test('what has taken the focus meanwhile keeps it', async () => {
  draw('link1', 'row1')
  at('create').focus()
  await twoFrames()
  await twoFrames()
  expect(focused()).toBe('create')
})

test('nothing takes the focus when its dialog is closed', async () => {
  draw('amount1', 'dialog')
  await twoFrames()
  await twoFrames()
  expect(focused()).toBe('')
})

test.each([
  ['the control that had it before', 'create', [], 'create'],
  ['the screen where that is gone', 'retry', ['notice'], 'main'],
  ['the next row where that of the row is gone', 'link1', ['row1'], 'link2'],
])('a dialog that is closed leaves the focus to %s', async (_, held, removed, heir) => {
  draw(held)
  at('amount1').focus()
  for (const id of [...removed, 'dialog']) at(id).remove()
  await waitFor(() => expect(focused()).toBe(heir))
})

/** Draws a dialog over the one that is there. */
const drawMessage = () =>
  document.body.insertAdjacentHTML(
    'beforeend',
    '<div class="bp6-dialog" id="message"><button id="dismiss">Dismiss</button></div>',
  )

test.each([
  ['the control that had it before both', 'create', [], 'create'],
  ['the next row where that of the row is gone', 'link1', ['row1'], 'link2'],
])('a dialog over one that is closed under it leaves the focus to %s', async (_, held, removed, heir) => {
  draw(held)
  at('amount1').focus()
  drawMessage()
  at('dialog').remove()
  at('dismiss').focus()
  await twoFrames()
  for (const id of [...removed, 'message']) at(id).remove()
  await waitFor(() => expect(focused()).toBe(heir))
})

test('a dialog to which the focus went back from another leaves it to what had it before', async () => {
  draw('create')
  at('amount1').focus()
  drawMessage()
  at('dismiss').focus()
  at('message').remove()
  at('amount2').focus()
  at('dialog').remove()
  await waitFor(() => expect(focused()).toBe('create'))
})

/** The question that a control asked is answered; the screen is read again meanwhile and has the focus. */
const answer = (asker: string) => {
  draw(asker)
  at('amount1').focus()
  at('dialog').remove()
  ;(at(asker) as HTMLButtonElement).disabled = true
  at('main').focus()
}

test.each([
  ['the button that asked, once it is enabled', 'remove1', () => {}, 'remove1'],
  ['what takes its place in the list', 'remove1', () => at('chip1').remove(), 'remove2'],
  ['the screen where the button stood by itself', 'retry', () => at('notice').remove(), 'main'],
])('the screen gives the focus back to %s', async (_, asker, becomeOther, heir) => {
  answer(asker)
  await twoFrames()
  expect(focused()).toBe('main')
  becomeOther()
  document.getElementById(asker)?.removeAttribute('disabled')
  await twoFrames()
  expect(focused()).toBe(heir)
})

test.each([
  ['the same as before', 'x', 'remove1'],
  ['something else, to the next one in its place', 'y', 'remove2'],
])('a button whose item has moved has the focus again while it does %s', async (_, text, heir) => {
  answer('remove1')
  at('remove1').textContent = text
  at('chip1').parentElement!.append(at('chip1'))
  at('remove1').removeAttribute('disabled')
  await waitFor(() => expect(focused()).toBe(heir))
})

test('a button that is removed with its question leaves the focus to the next one, though nothing follows', async () => {
  draw('remove1')
  at('amount1').focus()
  at('chip1').remove()
  at('dialog').remove()
  await new Promise(requestAnimationFrame)
  at('main').focus()
  await waitFor(() => expect(focused()).toBe('remove2'))
})

test('the button that asked does not take the focus from what has taken it meanwhile', async () => {
  answer('remove1')
  at('create').focus()
  at('main').focus()
  at('remove1').removeAttribute('disabled')
  await twoFrames()
  await twoFrames()
  expect(focused()).toBe('main')
})

test('nothing below an open dialog takes the focus', async () => {
  draw('retry')
  at('amount1').focus()
  at('amount1').blur()
  at('notice').remove()
  await twoFrames()
  await twoFrames()
  expect(focused()).toBe('')
})
