/**
 * Messages that several screens, or both server and browser, show to users. The specification
 * prescribes their wording.
 */
export const messages = {
  emailRequired: 'Email is required',
  emailInvalid: 'Provide a valid email',
  passwordRequired: 'password is required',
  passwordTooShort: 'must be 6 characters or longer',
  passwordTooLong: 'must be 128 characters or shorter',
  nameRequired: 'name is required',
  nameInvalid: 'name cannot contain control characters',
  nameTooLong: 'name must be 100 characters or shorter',
  phoneRequired: 'Phone is required',
  phoneInvalid:
    'Enter a phone number with at least 5 digits. You can use spaces and + ( ) - . / and an extension like ext 4, up to 32 characters in all',
  quantityRequired: 'Quantity is required',
  quantityWhole: 'Quantity must be a whole number',
  quantityTooLow: 'Quantity can not be lower than minimum quantity',
  quantityTooHigh: 'Quantity can not be higher than available quantity',
  orderBooked: 'Your order is processing. please pay to confirm.',
  orderFailed: 'There is an error in your order',
  orderDeleted: 'This order is deleted successfully',
  confirmDelete: 'Are you sure you want to delete this product?',
  paymentCompleted: 'congrats! Your payment is completed.',
  verificationSent: 'verification email sent',
  resetSent: 'email sent',
  resetNeedsEmail: 'please give your email',
  reviewRequired: 'Review is required',
  reviewTooLong: 'Review must be 2000 characters or shorter',
  ratingOutOfRange: 'please give a rating between 1 to 5',
  reviewNeedsVerification:
    'Confirm your email address first, so we can publish your review. Nothing you typed is lost.',
  queueNeedsVerification:
    'Confirm your email address first: that’s where we’ll tell you it’s your turn.',
  reviewOncePerDay:
    'Without a paid order, you can write one review a day. Edit the one you wrote, or write another tomorrow.',
  reviewsFromNetwork:
    'Too many people on your network have written reviews today without a paid order. Try again tomorrow. Nothing you typed is lost.',
  reviewNeedsPurchase: 'Only customers who bought this part here and kept it can review it.',
  reviewThanks: 'Thanks for your valuable review',
  reasonRequired: 'Reason is required',
  reasonTooLong: 'Reason must be 200 characters or shorter',
  profileThanks: 'Thanks for updating your profile',
  nobodyLoggedIn: 'No user is logged in',
  educationRequired: 'Education is required',
  locationRequired: 'Location is required',
  linkedInRequired: 'LinkedIn is required',
  linkedInInvalid: 'Provide a link to a LinkedIn profile, like https://www.linkedin.com/in/ada',
  adminMade: 'successfully made an admin',
  adminFailed: 'Failed to make an admin',
  partAdded: 'Product added successfully',
  partFailed: 'Failed to add product',
  notFound: 'Error Not found',
} as const
