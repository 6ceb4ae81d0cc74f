import { onScreens } from '../../../models/lib/onScreens.ts'
import { testKinds } from '../../../models/record/kindWalks.ts'

testKinds(onScreens())
