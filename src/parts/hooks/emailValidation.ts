import { createContext } from 'react'

/** The button that opens the dialog 'Email Validation': in the card, or on the screen of the tickets. */
export const validateButtonId = 'validate-email'

/** Opens the dialog 'Email Validation' (email 2); given by the shell. */
export const EmailValidationContext = createContext<() => void>(() => {})
