"""Files of the National Health and Nutrition Examination Survey."""
